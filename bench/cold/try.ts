// `node bench/cold/try.ts <rounds> [variant …]`: the starts of some variants, to look at while one changes what they load.
import { stat } from 'node:fs/promises';
import { median } from '../median.ts';
import { sampleStarts, withStarts } from './starts.ts';

const [rounds = '', ...names] = process.argv.slice(2);

await withStarts(async (starts) => {
  const unknown = names.find((name) => !starts.variants.some((variant) => variant.name === name));
  if (unknown !== undefined || !/^\d+$/.test(rounds)) {
    throw new Error(`Usage: try.ts <rounds> [${starts.variants.map(({ name }) => name).join(' | ')}] …`);
  }
  const variants = starts.variants.filter(({ name }) => names.length === 0 || names.includes(name));
  const columns = ['import', 'call', 'total', 'importCpu', 'cpu', 'peak'] as const;
  const line = (cells: readonly string[]) => console.log(cells.map((cell) => cell.padStart(17)).join(''));
  line(['', 'bytes', 'import ms', 'first call ms', 'both ms', 'CPU of import', 'CPU of both', 'peak MiB']);
  for (const [{ name, module }, samples] of await sampleStarts(starts, variants, Number(rounds))) {
    const medians = columns.map((column) => median(samples.map((sample) => sample[column])).toFixed(1));
    line([name, String((await stat(module)).size), ...medians]);
  }
});
