// `npx node bench/cold/try.ts <rounds> [variant …]`: the starts of some variants, to look at while one changes what they load.

import { median } from '../median.ts';
import { bytesOf } from './sizes.ts';
import { sampleStarts, withStarts } from './starts.ts';

const [rounds = '', ...names] = process.argv.slice(2);

await withStarts(async ({ child, variants }) => {
  const unknown = names.find((name) => !variants.some((variant) => variant.name === name));
  if (unknown !== undefined || !/^\d+$/.test(rounds)) {
    throw new Error(`Usage: try.ts <rounds> [${variants.map(({ name }) => name).join(' | ')}] …`);
  }
  const series = variants
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .map((variant) => ({ variant }));
  const columns = ['import', 'call', 'total', 'importCpu', 'cpu', 'peak'] as const;
  const line = (cells: readonly string[]) => console.log(cells.map((cell) => cell.padStart(17)).join(''));
  line(['', 'bytes', 'import ms', 'first call ms', 'both ms', 'CPU of import', 'CPU of both', 'peak MiB']);
  for (const [{ variant }, samples] of await sampleStarts(child, series, Number(rounds))) {
    const medians = columns.map((column) => median(samples.map((sample) => sample[column])).toFixed(1));
    line([variant.name, String(bytesOf(variant)), ...medians]);
  }
});
