import { Queue } from 'aws-cdk-lib/aws-sqs';
import { expect, test } from 'vitest';
import { startHost } from '../../../lib/local/host/host.ts';
import { synthesize, type TestStack } from './test-host.ts';
import { testFolder } from './test-tables.ts';

const addApi = (stack: TestStack) => stack.api({ 'GET /': stack.echo('Echo', '1') });

const start = (folder: string, build: (stack: TestStack) => void = addApi, port = 0) =>
  startHost({ dataDir: folder, synthesize: async () => synthesize(folder, build), port });

test('a host that refuses leaves its data directory free', async () => {
  const folder = testFolder();
  await expect(start(folder, (stack) => new Queue(stack, 'Queue'))).rejects.toThrow('exactly one is supported');

  const other = await start(testFolder());
  const { port } = new URL(other.baseUrl);
  await expect(start(folder, addApi, Number(port))).rejects.toThrow(
    `Port ${port} of 127.0.0.1 is taken: choose another (PORT, SITE_PORT)`,
  );
  await other.close();

  const host = await start(folder);
  await host.close();
});
