// Measures one part, named on the command line, and sends its figures to bench/run.ts.
import { parts } from './parts.ts';

const measure = parts[process.argv[2] ?? ''];
if (!measure) throw new Error(`Unknown part: choose one of ${Object.keys(parts).join(', ')}.`);
process.send?.(await measure());
process.disconnect();
