// Measures one part, named on the command line, and sends its figures to bench/run.ts.
import { parts } from './parts.ts';

const part = parts[process.argv[2] ?? ''];
if (!part) throw new Error(`Unknown part: choose from ${Object.keys(parts).join(', ')}.`);
process.send?.(await part.measure());
process.disconnect();
