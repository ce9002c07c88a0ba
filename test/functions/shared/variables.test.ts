import * as v from 'valibot';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { jsonVariable, readTableName, readVariables, toVariables } from '../../../functions/shared/variables.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const stub = (variables: Readonly<Record<string, string>>) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
};

const entries = {
  WORD: v.string(),
  DAYS: jsonVariable(v.number()),
  SITES: jsonVariable(v.array(v.string())),
  UNSET: v.optional(jsonVariable(v.number())),
};

describe('environment variables', () => {
  it.each([
    [{ WORD: 'one', DAYS: 30, SITES: ['https://a.example', 'https://b.example'] }],
    [{ WORD: '"quoted"', DAYS: 0, SITES: [], UNSET: 1 }],
  ])('are read as they were written: %j', (told) => {
    stub(toVariables(told));
    expect(readVariables(entries)).toStrictEqual(told);
  });

  it('are named if they are missing or invalid, without their values', () => {
    stub({ DAYS: '"30"', SITES: 'secret' });
    expect(() => readVariables(entries)).toThrow(/^Environment variables missing or invalid: WORD, DAYS, SITES$/);
  });
});

describe("a table's name", () => {
  it('is read from its variable', () => {
    stub({ THINGS_TABLE: 'things' });
    expect(readTableName({ variable: 'THINGS_TABLE' })).toBe('things');
  });

  it.each([undefined, '', 'xy'])('is refused by its variable if it is %j', (name) => {
    vi.stubEnv('THINGS_TABLE', name);
    expect(() => readTableName({ variable: 'THINGS_TABLE' })).toThrow('missing or invalid: THINGS_TABLE');
  });
});
