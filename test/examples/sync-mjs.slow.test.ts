import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { exampleScript } from './script.ts';
import { testSync } from './sync.ts';

testSync({ name: 'sync.mjs', store: 'db', retryAfter: 0 });

it('names the required Node if Node has no SQLite', async () => {
  const { code, stderr } = await exampleScript('sync.mjs').run(tmpdir(), {
    BASE_URL: 'http://127.0.0.1:9',
    STAFF_TOKEN: 'crcs_x',
    NODE_OPTIONS: '--no-experimental-sqlite',
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^sync\.mjs failed: it needs Node 24\.15 or later, .*\n$/);
});
