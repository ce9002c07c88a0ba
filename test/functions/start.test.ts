import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { handlerNames } from '../../lib/infrastructure/endpoints.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  // What did not start stays so for whoever imports it next.
  vi.resetModules();
});

// fan-out has no table.
it.each(handlerNames.filter((name) => name !== 'fan-out'))('%s does not start without a table', async (handler) => {
  vi.resetModules();
  for (const name of Object.keys(process.env)) if (name.endsWith('_TABLE')) vi.stubEnv(name, undefined);
  const file = join(import.meta.dirname, '..', '..', 'functions', `${handler}.ts`);
  await expect(import(file)).rejects.toThrow(/_TABLE$/);
});
