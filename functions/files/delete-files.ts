import * as v from 'valibot';
import { log } from '../shared/log.ts';
import { parseUuid } from '../shared/uuid.ts';
import { filesBucket } from './file.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';

/** Records of the contacts table's stream. Its filter passes removals only. */
const removals = v.object({
  Records: v.array(v.object({ dynamodb: v.object({ Keys: v.object({ id: v.object({ S: v.string() }) }) }) })),
});

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-rule-schedule.html */
const schedule = v.object({ source: v.literal('aws.events') });

const event = v.union([removals, schedule]);

/**
 * Milliseconds after which no create that put an object is under way any more: create-contact has 10 seconds, and the others are
 * for clocks that differ.
 */
const settlingTime = 15_000;

/** Milliseconds. What no item names for so long is what a create left that could not store its contact request. */
const sweptAfter = 48 * 60 * 60 * 1000;

/** Contact requests that are looked at together. */
const together = 20;

interface Options {
  readonly objects: ObjectStore;
  /** The random part of the keys of a contact request's files, as its item names it at the time of the call; undefined: none. */
  readonly uploadOf: (contactId: string) => Promise<string | undefined>;
  readonly now: () => Date;
  /** Resolves after some milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** The contact request and the upload that a key is of; undefined if it has another form. */
const partsOf = (key: string): { readonly contactId: string; readonly upload: string } | undefined => {
  const [contactId = '', upload, ...rest] = key.split('/');
  return parseUuid(contactId) === contactId && upload !== undefined && rest.length > 0
    ? { contactId, upload }
    : undefined;
};

/** Acts on some at a time. */
const forEachOf = async <Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> => {
  for (let start = 0; start < items.length; start += together) {
    await Promise.all(items.slice(start, start + together).map(act));
  }
};

/**
 * Deletes the files of removed contact requests, whatever removed them, and once a day what no contact request names. A removed id
 * can be in use again, since an `Idempotency-Key` makes the same one: so an object goes only if the item does not name it at a time
 * when no create that put it can be under way. That needs no times of the stream, and holds however late and often this runs.
 */
export const deleteFiles = ({ objects, uploadOf, now, wait }: Options) => {
  const ageOf = ({ putAt }: StoredObject) => now().getTime() - putAt.getTime();

  /** Deletes those of a contact request's objects that its item does not name. @returns how many */
  const deleteUnnamed = async (contactId: string, among: readonly StoredObject[]): Promise<number> => {
    if (among.length === 0) return 0;
    const upload = await uploadOf(contactId);
    const unnamed = among.filter(({ key }) => partsOf(key)?.upload !== upload).map(({ key }) => key);
    if (unnamed.length > 0) await objects.delete(unnamed);
    return unnamed.length;
  };

  const deleteOf = async (contactId: string): Promise<void> => {
    const found: StoredObject[] = [];
    for await (const page of objects.list(filesBucket.prefixOf(contactId))) found.push(...page);
    const settled = found.filter((each) => ageOf(each) > settlingTime);
    let count = await deleteUnnamed(contactId, settled);
    const recent = found.filter((each) => !settled.includes(each));
    if (recent.length > 0) {
      await wait(settlingTime + 1 - Math.min(...recent.map(ageOf)));
      count += await deleteUnnamed(contactId, recent);
    }
    if (count > 0) log('info', 'files deleted', { contactId, count });
  };

  const sweep = async (): Promise<void> => {
    let count = 0;
    for await (const page of objects.list('')) {
      const byId = Map.groupBy(
        page.filter((each) => ageOf(each) > sweptAfter),
        ({ key }) => partsOf(key)?.contactId,
      );
      // GuardDuty has an object of its own.
      byId.delete(undefined);
      await forEachOf([...byId], async ([contactId = '', old]) => {
        count += await deleteUnnamed(contactId, old);
      });
    }
    log(count > 0 ? 'warn' : 'info', 'files swept', { count });
  };

  return async (given: unknown): Promise<void> => {
    const parsed = v.safeParse(event, given);
    // Lambda logs all properties of an error, and valibot's error holds the event.
    if (!parsed.success) throw new Error('Not an event of a DynamoDB stream or a schedule');
    if ('source' in parsed.output) return sweep();
    const ids = new Set(parsed.output.Records.map(({ dynamodb }) => dynamodb.Keys.id.S));
    // The table has counters, too, which have no UUID.
    await forEachOf(
      [...ids].filter((id) => parseUuid(id) === id),
      deleteOf,
    );
  };
};
