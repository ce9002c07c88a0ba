import * as v from 'valibot';
import { afterEach, expect, it, vi } from 'vitest';
import { originList, readEnvironment, tableName } from '../../functions/environment.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('reads what is asked for', () => {
  vi.stubEnv('A_TABLE', 'contacts');
  vi.stubEnv('SITES', ' https://a.example  https://b.example ');
  expect(readEnvironment({ A_TABLE: tableName, SITES: originList, UNSET: v.optional(v.string()) })).toStrictEqual({
    A_TABLE: 'contacts',
    SITES: new Set(['https://a.example', 'https://b.example']),
  });
});

it('takes an empty list of sites for none', () => {
  vi.stubEnv('SITES', '');
  expect(readEnvironment({ SITES: originList })).toStrictEqual({ SITES: new Set() });
});

it('names every variable that is missing or wrong, and no value', () => {
  vi.stubEnv('SHORT', 'xy');
  expect(() => readEnvironment({ SHORT: tableName, MISSING: tableName, ALSO_MISSING: originList })).toThrow(
    'Environment variables missing or wrong: SHORT, MISSING, ALSO_MISSING',
  );
});

it.each([
  ['contacts/create', 'CONTACTS_TABLE', () => import('../../functions/contacts/create.ts')],
  ['contacts/list', 'CONTACTS_TABLE', () => import('../../functions/contacts/list.ts')],
  ['contacts/get', 'CONTACTS_TABLE', () => import('../../functions/contacts/get.ts')],
  ['contacts/delete', 'CONTACTS_TABLE', () => import('../../functions/contacts/delete.ts')],
  ['campaigns/list', 'CAMPAIGNS_TABLE', () => import('../../functions/campaigns/list.ts')],
  ['campaigns/get', 'CAMPAIGNS_TABLE', () => import('../../functions/campaigns/get.ts')],
  ['authorizer', 'TOKENS_TABLE', () => import('../../functions/authorizer.ts')],
  ['authorizer', 'ROUTES', () => import('../../functions/authorizer.ts')],
])('keeps %s from starting without %s', async (_, variable, load) => {
  vi.resetModules();
  vi.stubEnv(variable, undefined);
  await expect(load()).rejects.toThrow(variable);
});
