import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { startHost } from '../../../lib/local/host/host.ts';
import { putAll } from '../../support/tables.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createManualClock } from './manual-clock.ts';
import { clientOf, get, inList, writeTables } from './test-tables.ts';

const things = 'local-Things';

/** Serves the table of things, whose items expire at the time of `end`. */
const start = async () => {
  const clock = createManualClock();
  const assembly = writeTables({ TimeToLiveSpecification: { AttributeName: 'end', Enabled: true } });
  const dataDir = join(temporaryFolder(), 'data');
  const host = await startHost({ dataDir, synthesize: async () => assembly, port: 0, clock, log: () => {} });
  onTestFinished(host.close);
  const client = clientOf(host.store);
  return {
    store: host.store,
    client,
    clock,
    now: clock.now() / 1000,
    put: (id: string, end?: unknown) =>
      client.send(new PutCommand({ TableName: things, Item: { id, list: 'all', end } })),
    ids: async () => (await client.send(inList(things))).Items?.map(({ id }) => id),
  };
};

test('removes expired items from a table and its indexes within an hour', async () => {
  const { store, client, clock, now, put, ids } = await start();
  const hour = 3600;
  // More than the store looks at in one go.
  const expired = Array.from({ length: 225 }, (_, number) => ({
    id: `expired ${number}`,
    end: Math.floor(now) - number,
  }));
  await putAll(
    things,
    expired.map((item) => ({ ...item, list: 'all' })),
    client,
  );
  await put('expires now', Math.floor(now) + hour);
  await put('kept: later', Math.ceil(now) + hour);
  await put('kept: no end');
  await put('kept: no number', String(Math.floor(now)));
  clock.advance(hour * 1000);
  await expect.poll(ids).toEqual(['kept: later', 'kept: no end', 'kept: no number']);
  expect(await get(store, things, 'expired 1')).toBeUndefined();
});
