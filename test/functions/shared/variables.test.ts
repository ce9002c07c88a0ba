import * as v from 'valibot';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readTableName, readVariables, toVariables } from '../../../functions/shared/variables.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const stub = (variables: Readonly<Record<string, string>>) => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
};

const schema = v.object({
  word: v.string(),
  choice: v.optional(v.picklist(['keep', 'ignore'])),
  retentionDays: v.number(),
  sites: v.array(v.object({ origin: v.string() })),
  unset: v.optional(v.number()),
  names: v.optional(v.array(v.string()), []),
  counts: v.optional(v.boolean(), true),
});

type Values = v.InferInput<typeof schema>;

describe('environment variables', () => {
  it('are named after the values: texts stand there as they are, other values as JSON, and defaults not at all', () => {
    const sites = [{ origin: 'https://a.example' }];
    const values: Values = { word: 'one', choice: 'keep', retentionDays: 30, sites, names: [], counts: true };
    expect(toVariables(schema, values)).toStrictEqual({
      WORD: 'one',
      CHOICE: 'keep',
      RETENTION_DAYS: '30',
      SITES: '[{"origin":"https://a.example"}]',
    });
  });

  it('hold nothing that the function does not read', () => {
    const values = { word: 'one', retentionDays: 30, sites: [{ origin: 'a', secret: 'b' }], other: 'c' };
    expect(toVariables(schema, values)).toStrictEqual({ WORD: 'one', RETENTION_DAYS: '30', SITES: '[{"origin":"a"}]' });
  });

  it.each<[Values]>([
    [{ word: 'one', retentionDays: 30, sites: [{ origin: 'https://a.example' }], names: [], counts: true }],
    [{ word: '"quoted"', choice: 'ignore', retentionDays: 0, sites: [], unset: 1, names: ['a'], counts: false }],
    [{ word: '7', retentionDays: 0, sites: [], names: [], counts: true }],
  ])('are read as they were written: %j', (values) => {
    stub(toVariables(schema, values));
    expect(readVariables(schema)).toStrictEqual(values);
  });

  it('are named if they are missing or invalid, without their values', () => {
    stub({ RETENTION_DAYS: '"30"', SITES: 'secret', CHOICE: '"keep"', UNSET: '' });
    expect(() => readVariables(schema)).toThrow(
      /^Environment variables missing or invalid: WORD, CHOICE, RETENTION_DAYS, SITES, UNSET$/,
    );
  });

  it('can be those of another process', () => {
    expect(readVariables(v.pick(schema, ['word']), { WORD: 'one' })).toStrictEqual({ word: 'one' });
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
