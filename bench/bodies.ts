import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { contact } from './contact.ts';
import { cpuOf } from './cpu.ts';
import { withCreateHandler } from './create-handler.ts';
import type { Measurement } from './measurement.ts';
import { paired } from './paired.ts';
import type { Part } from './part.ts';

const creates = 1_000;
const rounds = 5;

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

const furtherFields = Object.fromEntries(
  Array.from({ length: 20 }, (_, at) => [`question-${at}`, 'An answer of a few words']),
);
const withFurtherFields = JSON.stringify({ ...contact, ...furtherFields });

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

const measureBodies = (): Promise<Measurement[]> =>
  withCreateHandler(async ({ client, table, post }) => {
    const measurements: Measurement[] = [];
    for (const { name, contentType, body, parse } of bodyTypes) {
      const create = () => post(contentType, body);
      const parseAndPut = async () =>
        client.send(new PutCommand({ TableName: table, Item: { ...(await parse()), id: randomUUID() } }));
      const { value, ratio } = await paired(
        rounds,
        () => cpuOf(creates, create),
        () => cpuOf(creates, parseAndPut),
      );
      measurements.push({
        name: `A create from ${name}`,
        value,
        unit: 'CPU ms',
        beside: { what: 'the bare parse and put of the same content', ratio },
      });
    }
    const { value, ratio } = await paired(
      rounds,
      () => cpuOf(creates, () => post('application/json', withFurtherFields)),
      () => cpuOf(creates, () => post('application/json', json)),
    );
    measurements.push({
      name: 'A create from JSON with 20 further fields',
      value,
      unit: 'CPU ms',
      beside: { what: 'one without', ratio },
    });
    return measurements;
  });

export const bodies: Part = {
  title: 'CPU of a create',
  tells:
    'What the handler takes for one contact request, by the type of its body; the store runs in a process of its own and is not counted. × 1.00 would be a handler that takes nothing.',
  measure: measureBodies,
};
