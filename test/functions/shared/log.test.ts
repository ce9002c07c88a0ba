import { describe, expect, it, vi } from 'vitest';
import { describeError, log } from '../../../functions/shared/log.ts';
import { logText } from '../../support/log.ts';

describe('log', () => {
  it('writes a JSON line with the timestamp that Lambda needs to read its level', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-01T12:00:00.123Z') });
    log('warn', 'two\nlines', { status: 1, names: ['a'], absent: undefined });
    vi.useRealTimers();
    expect(logText()).toBe(
      '{"timestamp":"2026-03-01T12:00:00.123Z","level":"warn","message":"two\\nlines","status":1,"names":["a"]}\n',
    );
  });
});

describe('describeError', () => {
  it('contains the name and the stack frames', () => {
    const described = describeError(new TypeError('secret'));
    expect(described).toStrictEqual({
      error: 'TypeError',
      stack: expect.arrayContaining([expect.stringMatching(/^at .*log\.test\.ts:\d+:\d+/)]),
    });
    expect(described['stack']).toStrictEqual(expect.not.arrayContaining([expect.stringMatching(/^(?!at )/)]));
  });

  it('contains the name of the cause', () => {
    const described = describeError(new Error('secret', { cause: new RangeError('secret') }));
    expect(described).toHaveProperty('cause', 'RangeError');
    expect(JSON.stringify(described)).not.toContain('secret');
  });

  it.each([
    'secret',
    'secret\nsecret',
    'x\n    at secret\n    at the secret door',
    '    at secret',
    '\n    at secret (file:///secret.ts:1:1)',
  ])('leaves out the message %j', (message) => {
    const described = JSON.stringify(describeError(new Error(message)));
    expect(described).not.toContain('secret');
    expect(described).toContain('log.test.ts');
  });

  it('leaves out a message that changed after the stack was made, and accepts a missing stack', () => {
    const changed = Object.assign(new Error('secret'), { message: 'another' });
    expect(JSON.stringify(describeError(changed))).not.toContain('secret');
    expect(describeError(Object.assign(new Error('secret'), { stack: undefined }))).toStrictEqual({
      error: 'Error',
      stack: [],
    });
  });
});
