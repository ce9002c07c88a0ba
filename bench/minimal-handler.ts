// Stores a contact request with the SDK's client alone: what the functions are compared with. It knows no sites, no
// idempotency and no spam traps, and its rules are written by hand, because no library is faster.
import { randomUUID } from 'node:crypto';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

const limits = { email: 254, phone: 32, company: 200, firstName: 100, lastName: 100, message: 5_000 } as const;

type Field = keyof typeof limits;

interface Contact extends Partial<Record<Field, string>> {
  readonly id: string;
  readonly createdAt: string;
}

const forms: Partial<Record<Field, RegExp>> = {
  email: /^[^@\s]+@[^@\s]+\.[^@\s]+$/,
  phone: /^(?=(.*\d){3})[\d+().\-/ x#]+$/,
};

const fields = Object.entries(limits) as readonly (readonly [Field, number])[];

/** @returns the contact request to store, or the names of the fields with an error */
const parseContact = (body: unknown): { contact: Contact } | { errors: string[] } => {
  if (typeof body !== 'object' || body === null) return { errors: ['body'] };
  const sent = new Map<string, unknown>(Object.entries(body));
  const contact: Contact = { id: randomUUID(), createdAt: new Date().toISOString() };
  const errors: string[] = [];
  for (const [name, limit] of fields) {
    const value = sent.get(name);
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string') {
      errors.push(name);
      continue;
    }
    const text = value.trim().normalize('NFC');
    if ([...text].length > limit || !(forms[name]?.test(text) ?? true)) errors.push(name);
    contact[name] = text;
  }
  if (!contact.message) errors.push('message');
  if (!contact.email && !contact.phone) errors.push('email');
  return errors.length > 0 ? { errors } : { contact };
};

const json = (statusCode: number, content: object, headers = {}): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(content),
});

/** @returns the content of a JSON body, or undefined */
const parseJson = (body: string | null): unknown => {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
};

const client = new DynamoDBClient();

export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const result = parseContact(parseJson(event.body));
  if ('errors' in result) return json(400, { error: 'Bad Request', details: result.errors });
  const { contact } = result;
  await client.send(
    new PutItemCommand({
      TableName: process.env['CONTACTS_TABLE'],
      Item: Object.fromEntries(Object.entries(contact).map(([name, value]) => [name, { S: value }])),
      ConditionExpression: 'attribute_not_exists(id)',
    }),
  );
  return json(201, contact, { Location: `/api/v1/contact/${contact.id}` });
};
