import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { contactStore } from '../functions/contacts/store.ts';
import { contactsTable } from '../functions/contacts/table.ts';
import { createDocumentClient } from '../functions/dynamodb.ts';
import { lambdaContext, proxyEvent } from '../test/support/event.ts';
import { createTable } from '../test/support/tables.ts';
import { inBatches } from './batches.ts';
import type { Measurement } from './measurement.ts';
import { median } from './median.ts';
import type { Part } from './part.ts';
import { withDynalite } from './store.ts';

const creates = 1_000;
const rounds = 5;

const contact = {
  email: 'ada@example.com',
  phone: '+44 20 7946 0000',
  company: 'Analytical Engines Ltd',
  firstName: 'Ada',
  lastName: 'Lovelace',
  message: 'I would like to know more about your engines. '.repeat(10).trim(),
};

interface Body {
  readonly name: string;
  readonly contentType: string;
  readonly body: string | Buffer;
  /** The least that gets the fields out of this body. */
  readonly parse: () => Record<string, unknown> | Promise<Record<string, unknown>>;
}

const multipart = new Response(
  Object.entries(contact).reduce((form, [name, value]) => {
    form.append(name, value);
    return form;
  }, new FormData()),
);
const multipartType = multipart.headers.get('content-type') ?? '';
const multipartBody = Buffer.from(await multipart.arrayBuffer());
const json = JSON.stringify(contact);
const urlEncoded = new URLSearchParams(contact).toString();

const bodyTypes: readonly Body[] = [
  { name: 'JSON', contentType: 'application/json', body: json, parse: () => JSON.parse(json) },
  {
    name: 'urlencoded',
    contentType: 'application/x-www-form-urlencoded',
    body: urlEncoded,
    parse: () => Object.fromEntries(new URLSearchParams(urlEncoded)),
  },
  {
    name: 'multipart',
    contentType: multipartType,
    body: multipartBody,
    parse: async () =>
      Object.fromEntries(await new Response(multipartBody, { headers: { 'Content-Type': multipartType } }).formData()),
  },
];

/** CPU time of this process, in milliseconds a call. */
const cpuOf = async (act: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  await inBatches(creates, act);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / creates;
};

const measureBodies = (): Promise<Measurement[]> =>
  withDynalite(async () => {
    const client = createDocumentClient();
    const table = await createTable(contactsTable);
    Object.assign(process.env, {
      CONTACTS_TABLE: table,
      SITE_ORIGINS: '[]',
      HONEYPOT_FIELD: 'website',
      ENVIRONMENT: 'bench',
    });
    const { createContact } = await import('../functions/contacts/create.ts');
    const handler = createContact({
      store: contactStore(client, table),
      siteOrigins: new Set(),
      honeypotField: 'website',
      count: () => {},
      now: () => new Date(),
    });

    const measurements: Measurement[] = [];
    for (const { name, contentType, body, parse } of bodyTypes) {
      const event = proxyEvent('POST /api/v1/contact', { headers: { 'Content-Type': contentType }, body });
      const create = () => handler(event, lambdaContext());
      const parseAndPut = async () =>
        client.send(new PutCommand({ TableName: table, Item: { ...(await parse()), id: randomUUID() } }));
      const pairs: { full: number; bare: number }[] = [];
      // The first round warms up and is not counted.
      for (let round = 0; round <= rounds; round += 1) {
        const pair = { full: await cpuOf(create), bare: await cpuOf(parseAndPut) };
        if (round > 0) pairs.push(pair);
      }
      measurements.push({
        name: `A create from ${name}`,
        value: median(pairs.map(({ full }) => full)),
        unit: 'CPU ms',
        beside: {
          what: 'the bare parse and put of the same content',
          ratio: median(pairs.map(({ full, bare }) => full / bare)),
        },
      });
    }
    return measurements;
  });

export const bodies: Part = {
  title: 'CPU of a create',
  tells:
    'What the handler takes for one contact request, by the type of its body; the store runs in a process of its own and is not counted. × 1.00 would be a handler that takes nothing.',
  measure: measureBodies,
};
