// The rules and answers of the peers, written by hand: no library is faster.
import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';

const limits = { email: 254, phone: 32, company: 200, firstName: 100, lastName: 100, message: 5_000 } as const;

type Field = keyof typeof limits;

export interface Contact extends Partial<Record<Field, string>> {
  readonly id: string;
  readonly createdAt: string;
}

const forms: Partial<Record<Field, RegExp>> = {
  email: /^[^@\s]+@[^@\s]+\.[^@\s]+$/,
  phone: /^(?=(.*\d){3})[\d+().\-/ x#]+$/,
};

const fields = Object.entries(limits) as readonly (readonly [Field, number])[];

/** @returns the contact request to store, or the names of the fields at fault */
export const parseContact = (body: unknown): { contact: Contact } | { faults: string[] } => {
  if (typeof body !== 'object' || body === null) return { faults: ['body'] };
  const sent = new Map<string, unknown>(Object.entries(body));
  const contact: Contact = { id: randomUUID(), createdAt: new Date().toISOString() };
  const faults: string[] = [];
  for (const [name, limit] of fields) {
    const value = sent.get(name);
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string') {
      faults.push(name);
      continue;
    }
    const text = value.trim().normalize('NFC');
    if ([...text].length > limit || !(forms[name]?.test(text) ?? true)) faults.push(name);
    contact[name] = text;
  }
  if (!contact.message) faults.push('message');
  if (!contact.email && !contact.phone) faults.push('email');
  return faults.length > 0 ? { faults } : { contact };
};

export const json = (statusCode: number, content: object, headers = {}): APIGatewayProxyResult => ({
  statusCode,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(content),
});

/** What a body holds that is JSON; nothing when it is none. */
export const parseJson = (body: string | null): unknown => {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
};
