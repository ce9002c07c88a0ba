import * as v from 'valibot';
import type { Client } from './client.ts';
import type { Fields } from './contract.ts';
import type { Caller, Origin, Time } from './steps.ts';

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

/** A contact request as it was answered; which fields it has, contract.ts says. */
export const contactSchema = v.objectWithRest(
  // As it is: a record would lose `__proto__`.
  { id: v.string(), createdAt: v.string(), extra: v.exactOptional(v.custom<object>(isObject)) },
  v.string(),
);

export type Contact = Readonly<v.InferOutput<typeof contactSchema>>;

export const campaignSchema = v.strictObject({ id: v.string(), name: v.string() });

export type Campaign = Readonly<v.InferOutput<typeof campaignSchema>>;

/** What has been stored, and not deleted. */
export interface Stored {
  readonly contact: Contact;
  /** Unknown until a list has told, where the contract leaves it open. */
  spam: boolean | undefined;
}

/** The service under test. */
export interface Target {
  readonly client: Client;
  readonly siteOrigin: string;
  readonly tokens: Readonly<Partial<Record<Caller, string>>>;
  readonly campaigns: readonly Campaign[];
}

const foreignOrigin = 'https://foreign.example.net';

/** What the service must know, from all that it was sent by this process: nobody else asks it. */
export const createWorld = (target: Target) => {
  const contacts = new Map<string, Stored>();
  const deleted: string[] = [];
  const keys = new Map<string, { readonly fields: Fields; readonly id: string }>();
  const nthLast = <Item>(items: readonly Item[], nth: number) => items.at(-1 - nth);

  return {
    ...target,
    contacts,
    deleted,
    keys,

    /** The headers that say who asks, and from where. */
    headers: (caller: Caller, origin: Origin): Record<string, string> => {
      const token = target.tokens[caller];
      const from = { none: undefined, null: 'null', site: target.siteOrigin, foreign: foreignOrigin }[origin];
      return {
        ...(token !== undefined && { Authentication: token }),
        ...(from !== undefined && { Origin: from }),
      };
    },

    nthContact: (nth: number) => nthLast([...contacts.values()], nth)?.contact,
    nthDeleted: (nth: number) => nthLast(deleted, nth),

    /** The instant of a time, in milliseconds since 1970. */
    instantOf: ({ ofContact, plusMilliseconds }: Time): number => {
      const contact = nthLast([...contacts.values()], ofContact)?.contact;
      return Date.parse(contact?.createdAt ?? '2026-06-15T12:00:00Z') + plusMilliseconds;
    },

    remember: (contact: Contact, spam: boolean | undefined, key: string | undefined) => {
      contacts.set(contact.id, { contact, spam });
      const { id, createdAt: _, site: __, ...fields } = contact;
      if (key !== undefined) keys.set(key, { fields, id });
    },

    forget: (id: string) => {
      contacts.delete(id);
      deleted.push(id);
      for (const [key, used] of keys) if (used.id === id) keys.delete(key);
    },
  };
};

export type World = ReturnType<typeof createWorld>;

/** An instant in RFC 3339, at an offset from UTC. */
export const writeTime = (instant: number, offsetMinutes: number): string => {
  const local = new Date(instant + offsetMinutes * 60_000).toISOString().slice(0, -1);
  if (offsetMinutes === 0) return `${local}Z`;
  const size = Math.abs(offsetMinutes);
  const [hours, minutes] = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
  return `${local}${offsetMinutes < 0 ? '-' : '+'}${hours}:${minutes}`;
};
