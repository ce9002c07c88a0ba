import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { measurement } from './measurement.ts';

/** Where `npm run rehearse` leaves what it has measured, for the page of the next run of the benchmarks. */
export const rehearsedFile = join(import.meta.dirname, '..', '.cache', 'rehearsal', 'measured.json');

/** The heading of that part. */
export const rehearsedTitle = 'Told in the rehearsal';

const part = v.object({
  title: v.literal(rehearsedTitle),
  tells: v.string(),
  measurements: v.array(measurement),
});

export type RehearsedPart = v.InferOutput<typeof part>;

/** What the last rehearsal on this machine has measured, if there was one. */
export const readRehearsed = async (): Promise<RehearsedPart | undefined> => {
  const text = await readFile(rehearsedFile, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : v.parse(v.pipe(v.string(), v.parseJson(), part), text);
};
