import { expect, test } from 'vitest';
import { startHost } from '../../../lib/local/host/host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { api, type Resource, writeStack } from './test-host.ts';

const start = (dataDir: string, resources: Readonly<Record<string, Resource>> = api, port = 0) =>
  startHost({ dataDir, synthesize: async () => writeStack(temporaryFolder(), resources), port });

test('leaves the data directory free after a start that failed', async () => {
  const dataDir = `${temporaryFolder()}/data`;
  await expect(start(dataDir, {})).rejects.toThrow('exactly one is supported');

  const other = await start(`${temporaryFolder()}/data`);
  const { port } = new URL(other.baseUrl);
  await expect(start(dataDir, api, Number(port))).rejects.toThrow(
    `Port ${port} of 127.0.0.1 is taken: choose another (PORT, SITE_PORT, INBOX_PORT)`,
  );
  await other.close();

  const host = await start(dataDir);
  await host.close();
});
