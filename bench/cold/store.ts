import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { StoredItems } from './answers.ts';

/** Runs with what answers as DynamoDB does, in a process of its own. */
export const withStore = async <Result>(
  folder: string,
  items: StoredItems,
  run: (endpoint: string) => Promise<Result>,
): Promise<Result> => {
  const file = join(folder, 'stored.json');
  await writeFile(file, JSON.stringify(items));
  const store = fork(join(import.meta.dirname, 'store-process.ts'), [file]);
  const [endpoint] = await once(store, 'message');
  try {
    return await run(v.parse(v.string(), endpoint));
  } finally {
    store.kill();
  }
};
