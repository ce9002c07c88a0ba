import { afterEach, expect, it, vi } from 'vitest';
import { persist } from '../../../lib/staff/tables/persist.ts';

afterEach(() => vi.useRealTimers());

it('gives up after a minute, where each attempt waits long for an answer that does not come', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const silence = Object.assign(new Error('silence'), { name: 'TimeoutError' });
  let attempts = 0;
  const work = async () => {
    attempts += 1;
    vi.advanceTimersByTime(50_000);
    throw silence;
  };
  const { signal } = new AbortController();
  await expect(persist({ wait: async () => {}, signal }, work)).rejects.toBe(silence);
  expect(attempts).toBe(2);
});
