import * as v from 'valibot';
import { expect, test } from 'vitest';
import { campaigns, type Exchange, exchanges } from '../../lib/openapi/examples.ts';
import type { Call } from '../support/call.ts';
import { startCampaigns } from '../support/campaigns.ts';
import { startContacts } from '../support/contacts.ts';

const stored = v.object({ id: v.string(), createdAt: v.string() });

const isStored = v.parser(
  v.union([
    stored,
    v.pipe(
      v.unknown(),
      v.transform(() => undefined),
    ),
  ]),
);

const sentText = (body: Exchange['request']['body']) => (typeof body === 'string' ? body : JSON.stringify(body));

test('each example, sent one after the other, is answered as the document shows it', async () => {
  let now = '';
  const contacts = await startContacts(() => new Date(now));
  const { list, get, add } = await startCampaigns();
  for (const { id, name } of campaigns) await add(name, id);
  const calls = {
    CreateContact: contacts.create,
    ListContacts: contacts.list,
    GetContact: contacts.get,
    DeleteContact: contacts.delete,
    ListCampaigns: list,
    GetCampaign: get,
  } as const satisfies Record<keyof typeof exchanges, Call>;

  /** The id that was given, by the one that the document shows. */
  const given = new Map<string, string>();
  for (const [endpoint, call] of Object.entries(calls)) {
    for (const { name, request, answer } of new Map(Object.entries(exchanges)).get(endpoint) ?? []) {
      const shown = isStored(answer.body);
      now = shown?.createdAt ?? '2026-03-02T00:00:00.000Z';
      const { headers, query = {}, id = '', body } = request;
      const {
        status,
        text,
        headers: answered,
      } = await call({
        headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
        query: Object.entries(query),
        pathParameters: { id: given.get(id) ?? id },
        ...(body !== undefined && { body: sentText(body) }),
      });
      if (status === 201 && shown) given.set(shown.id, v.parse(stored, JSON.parse(text)).id);
      const asShown = [...given].reduce((all, [documented, id]) => all.replaceAll(id, documented), text);
      const expected = typeof answer.body === 'string' ? answer.body : (JSON.stringify(answer.body) ?? '');
      const link = answered['Link']?.replaceAll(/(?<=<https:\/\/)[^/]+\/\w+|(?<=&(?:until|cursor)=)[^&>]+/g, '…');
      expect(link, `${endpoint}, ${name}`).toBe(answer.link);
      expect([status, asShown], `${endpoint}, ${name}`).toEqual([answer.status, expected]);
    }
  }
});
