import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { ContactFields } from '../functions/contacts/contact.ts';
import { contactListStore, contactStore } from '../functions/contacts/store.ts';
import { contactsTable } from '../functions/contacts/table.ts';
import { createDocumentClient } from '../functions/shared/dynamodb.ts';
import { countReads } from '../test/support/count-reads.ts';
import { createDynalite } from '../test/support/dynalite.ts';
import { listen, stop } from '../test/support/server.ts';
import { contact } from './contact.ts';
import { figure, type Section } from './page.ts';

const pageSize = 50;
const beginning = Date.UTC(2026, 0, 1);

/** Runs with an empty contacts table in an emulator of DynamoDB. */
const withTable = async <Result>(use: (client: DynamoDBDocumentClient, table: string) => Promise<Result>) => {
  const server = createDynalite();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: await listen(server),
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
  });
  // Loaded now: it creates its client at once, and the client has to find the variables.
  const { createTable } = await import('../test/support/tables.ts');
  try {
    return await use(createDocumentClient(), await createTable(contactsTable));
  } finally {
    await stop(server);
  }
};

export const list = (): Promise<Section> =>
  withTable(async (client, table) => {
    const store = contactStore(client, table);
    const fields = { email: contact.email, message: 'Hello' };
    let stored = 0;
    const addUpTo = async (total: number, expiresAt?: Date) => {
      const add = async () => {
        while (stored < total) {
          stored += 1;
          const createdAt = new Date(beginning + stored * 1000);
          await store.create({ fields, spam: false, createdAt, ...(expiresAt && { expiresAt }) });
        }
      };
      await Promise.all(Array.from({ length: 32 }, add));
    };
    const reads = countReads(client);
    const readPage = async (name: string) => {
      Object.assign(reads, { queries: 0, items: 0 });
      await contactListStore(client, table).list({ limit: pageSize, spam: false, now: new Date(beginning) });
      return { name, ...reads };
    };
    await addUpTo(1_000);
    const ofFew = await readPage('of 1,000');
    await addUpTo(20_000);
    const ofMany = await readPage('of 20,000');
    await addUpTo(30_000, new Date(beginning));
    const pastExpired = await readPage('of 20,000, behind 10,000 expired ones');
    return {
      title: 'List',
      headline: `A page of ${pageSize} contact requests reads ${ofMany.items} items, with 1,000 stored or 20,000.`,
      text: `DynamoDB removes expired contact requests within two days. Until then a page of ${pageSize} reads past them.`,
      columns: ['page', 'items read', 'queries'],
      rows: [ofFew, ofMany, pastExpired].map(({ name, items, queries }) => [name, figure(items), figure(queries)]),
    };
  });

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
const unitsOfPartition = 1_000;

const sizes = {
  ordinary: contact,
  'a message of 5,000 letters': { ...contact, message: 'a'.repeat(5_000) },
  '5,000 emoji and 16 KiB of extra fields': {
    ...contact,
    message: '🙂'.repeat(5_000),
    extra: Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`question ${index}`, 'a'.repeat(2_000)])),
  },
};

const written = v.object({ Item: v.record(v.string(), v.string()) });

/** The bytes of the item that a create writes. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html */
const bytesOf = async (fields: ContactFields): Promise<number> => {
  const client = createDocumentClient();
  let bytes = 0;
  client.middlewareStack.add(
    () => async (args) => {
      const { Item } = v.parse(written, args.input);
      bytes = Buffer.byteLength(Object.entries(Item).flat().join(''));
      return { output: { $metadata: {} }, response: undefined };
    },
    { step: 'initialize' },
  );
  await contactStore(client, 'contacts').create({ fields, spam: false, createdAt: new Date(beginning) });
  return bytes;
};

export const scale = async (): Promise<Section> => {
  const results: { name: string; bytes: number; perSecond: number; perDay: string }[] = [];
  for (const [name, fields] of Object.entries(sizes)) {
    const bytes = await bytesOf(fields);
    const perSecond = Math.floor(unitsOfPartition / Math.ceil(bytes / 1024));
    results.push({ name, bytes, perSecond, perDay: `${figure((perSecond * 86_400) / 1e6)} million` });
  }
  return {
    title: 'Scale',
    headline: `One environment takes ${results.slice(0, 1).map(({ perDay }) => perDay)} ordinary contact requests a day.`,
    text: `A calculation: DynamoDB writes ${unitsOfPartition.toLocaleString('en')} units a second, one for each KB, to the [partition of the list](costs.md#what-one-environment-takes).`,
    columns: ['contact request', 'KB stored', 'a second', 'a day'],
    rows: results.map(({ name, bytes, perSecond, perDay }) => [name, figure(bytes / 1024), figure(perSecond), perDay]),
  };
};
