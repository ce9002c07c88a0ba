import { expect, test } from 'vitest';
import { deleteFiles } from '../../../functions/files/delete-files.ts';
import { filesBucket } from '../../../functions/files/file.ts';
import { keepLog, logLines } from '../../support/log.ts';

keepLog();

const id = '6f9619ff-8b86-4011-b42d-00cf4fc964ff';
const other = '7d444840-9dc0-41d1-b245-5ffdce74fad2';

const second = 1_000;
const hour = 3_600 * second;

/** A bucket and a table, and what happens to them at later times: the clock moves only while something waits. */
const world = ({ pageSize = 1_000, failing = '' } = {}) => {
  const start = Date.parse('2026-03-04T12:00:00Z');
  let time = start;
  const objects = new Map<string, Date>();
  /** The uploads that items name. */
  const items = new Map<string, string>();
  const later: { readonly at: number; readonly act: () => void }[] = [];
  const put = (key: string, age: number) => objects.set(key, new Date(time - age));
  const handler = deleteFiles({
    objects: {
      async *list(prefix) {
        const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
        for (let from = 0; from < keys.length; from += pageSize) {
          yield keys.slice(from, from + pageSize).flatMap((key) => {
            const putAt = objects.get(key);
            return putAt ? [{ key, putAt }] : [];
          });
        }
      },
      delete: async (keys) => {
        for (const key of keys) if (key !== failing) objects.delete(key);
        if (keys.includes(failing)) throw new Error('AccessDenied');
      },
    },
    uploadOf: async (contactId) => items.get(contactId),
    now: () => new Date(time),
    wait: async (milliseconds) => {
      const until = time + milliseconds;
      // Others begin to wait at the same time.
      await new Promise(setImmediate);
      time = Math.max(time, until);
      for (const { at, act } of later.splice(0)) if (at <= time) act();
    },
  });
  return {
    items,
    handler,
    /** Stores a file of an upload some milliseconds ago. */
    file: (contactId: string, upload: string, age: number, index = 0) =>
      put(filesBucket.keyOf(contactId, upload, index), age),
    object: put,
    /** Acts some milliseconds from now. */
    after: (milliseconds: number, act: () => void) => later.push({ at: time + milliseconds, act }),
    removed: (...ids: string[]) =>
      handler({
        Records: ids.map((removedId) => ({
          eventName: 'REMOVE',
          dynamodb: {
            Keys: { id: { S: removedId } },
            SequenceNumber: '1',
            ApproximateCreationDateTime: start / second,
          },
        })),
      }),
    sweep: () => handler({ source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} }),
    keys: () => [...objects.keys()],
    elapsed: () => time - start,
  };
};

test('a removed contact request loses all its files, and no other one does', async () => {
  const { file, removed, keys, elapsed } = world();
  for (const index of [0, 1, 2]) file(id, 'a', hour, index);
  file(other, 'a', hour);
  await removed(id);
  expect(keys()).toEqual([`${other}/a/0`]);
  expect(elapsed()).toBe(0);
  expect(logLines()).toMatchObject([{ message: 'files deleted', contactId: id, count: 3 }]);
});

test('if the id is in use again when the files are deleted, those of the new contact request stay', async () => {
  const { file, items, removed, keys } = world();
  file(id, 'old', hour);
  file(id, 'new', 20 * second);
  items.set(id, 'new');
  await removed(id);
  expect(keys()).toEqual([`${id}/new/0`]);
});

test('what a create may be about to name is deleted only when no create can name it any more', async () => {
  const { file, items, after, removed, keys, elapsed } = world();
  file(id, 'named', 9 * second);
  file(id, 'left', 3 * second);
  file(id, 'old', 16 * second);
  after(6 * second, () => items.set(id, 'named'));
  await removed(id);
  expect(keys()).toEqual([`${id}/named/0`]);
  expect(elapsed()).toBeGreaterThan(12 * second);
  expect(elapsed()).toBeLessThan(13 * second);
});

test('a contact request that is deleted at once loses its files within 15 seconds, and what comes then stays', async () => {
  const { file, after, removed, keys, elapsed } = world();
  file(id, 'a', 0);
  after(5 * second, () => file(id, 'b', 0));
  await removed(id);
  expect(keys()).toEqual([`${id}/b/0`]);
  expect(elapsed()).toBeLessThanOrEqual(15 * second + 1);
});

test('counters of the table are no contact requests', async () => {
  const { file, removed, keys } = world();
  file('files 2026-03-03', 'a', hour);
  await removed('files 2026-03-03', 'caught files 2026-03-03', id.toUpperCase(), '');
  expect(keys()).toHaveLength(1);
});

test('several removals at once wait together', async () => {
  const { file, removed, keys, elapsed } = world({ pageSize: 2 });
  for (const index of [0, 1, 2, 3, 4]) file(id, 'a', 2 * second, index);
  file(other, 'a', 2 * second);
  await removed(id, other, id);
  expect(keys()).toEqual([]);
  expect(elapsed()).toBeLessThan(14 * second);
});

test('what cannot be deleted is an error, so that Lambda tries again, and the rest goes', async () => {
  const { file, removed, keys } = world({ failing: `${id}/a/1` });
  for (const index of [0, 1, 2]) file(id, 'a', hour, index);
  await expect(removed(id)).rejects.toThrow('AccessDenied');
  expect(keys()).toEqual([`${id}/a/1`]);
});

test('the sweep deletes what no item names after 48 hours, and nothing else', async () => {
  const { file, object, items, sweep, keys } = world({ pageSize: 2 });
  file(id, 'named', 99 * hour, 0);
  file(id, 'named', 99 * hour, 1);
  file(id, 'replaced', 49 * hour);
  items.set(id, 'named');
  file(other, 'failed', 49 * hour);
  file(other, 'young', 47 * hour);
  object('malware-protection-resource-validation-object', 99 * hour);
  object(`${other.toUpperCase()}/a/0`, 99 * hour);
  await sweep();
  expect(keys()).toEqual([
    `${id}/named/0`,
    `${id}/named/1`,
    `${other}/young/0`,
    'malware-protection-resource-validation-object',
    `${other.toUpperCase()}/a/0`,
  ]);
  expect(logLines()).toMatchObject([{ level: 'warn', message: 'files swept', count: 2 }]);
});

test('an event of another kind is an error without its content', async () => {
  await expect(world().handler({ Records: [{ body: 'ada@example.com' }] })).rejects.toThrow(
    new Error('Not an event of a DynamoDB stream or a schedule'),
  );
});
