// Measures one part, named on the command line, and sends its figures and pictures to bench/run.ts.
import { parts } from './parts.ts';
import type { Picture } from './plot/picture.ts';

const part = parts[process.argv[2] ?? ''];
if (!part) throw new Error(`Unknown part: choose from ${Object.keys(parts).join(', ')}.`);
const pictures: Picture[] = [];
const measurements = await part.measure((picture) => pictures.push(picture));
process.send?.({ measurements, pictures });
process.disconnect();
