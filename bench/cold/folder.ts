import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs with a folder that is gone afterwards. */
export const inFolder = async <Result>(run: (folder: string) => Promise<Result>): Promise<Result> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-cold-'));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
};
