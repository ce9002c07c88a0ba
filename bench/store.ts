import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as v from 'valibot';

/** Runs with a DynamoDB in memory, in a process of its own, so that its work is not counted as the caller's. */
export const withDynalite = async <Result>(run: () => Promise<Result>): Promise<Result> => {
  const store = fork(join(import.meta.dirname, 'store-process.ts'));
  const [endpoint] = await once(store, 'message');
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: v.parse(v.string(), endpoint),
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
  });
  try {
    return await run();
  } finally {
    store.kill();
  }
};
