import type { Staff } from '../../context.ts';
import { Checksum, canonical } from './checksum.ts';
import { kinds } from './kinds.ts';
import { readItems } from './read-items.ts';
import { eachPage } from './scan.ts';
import type { TableToCopy } from './table-to-copy.ts';

/** How the target stands beside the source. */
export interface Comparison {
  /** How many items the source has. */
  readonly read: number;
  /** The keys of those that are other items in the target. */
  readonly different: readonly string[];
  /** The keys of those that are not in the target. */
  readonly missing: readonly string[];
  /** Over what the source has, and over what the target has of it. */
  readonly checksums: { readonly source: string; readonly target: string };
}

/**
 * Reads the source once more, and what the target has of it.
 * @param report is told how many are compared so far
 */
export const compare = async (
  { wait, signal: stop }: Pick<Staff, 'wait' | 'signal'>,
  table: TableToCopy,
  report: (compared: number) => void,
): Promise<Comparison> => {
  const { partitionKey } = kinds[table.kind];
  const sums = { source: new Checksum(), target: new Checksum() };
  const [different, missing]: [string[], string[]] = [[], []];
  let read = 0;

  await eachPage({ wait, signal: stop }, table.source, async (items, signal) => {
    const found = await readItems({ wait, signal }, table.target, partitionKey, items);
    for (const item of items) {
      const key = item[partitionKey]?.S ?? '';
      const counterpart = found.get(key);
      const wanted = canonical(item);
      const there = counterpart && canonical(counterpart);
      sums.source.add(wanted);
      if (there === undefined) missing.push(key);
      else sums.target.add(there);
      if (there !== undefined && there !== wanted) different.push(key);
    }
    read += items.length;
    report(read);
  });
  return {
    read,
    different: different.sort(),
    missing: missing.sort(),
    checksums: { source: `${sums.source}`, target: `${sums.target}` },
  };
};
