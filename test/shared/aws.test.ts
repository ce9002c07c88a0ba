import type { ServerResponse } from 'node:http';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { makeClient } from '../../lib/shared/aws.ts';
import { serve } from '../support/server.ts';

it('sends a hundred requests at once, each over its own connection', async () => {
  const waiting: ServerResponse[] = [];
  await using server = await serve((_, response) => {
    waiting.push(response);
    if (waiting.length < 100) return;
    for (const each of waiting) each.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');
  });
  const client = makeClient(DynamoDBClient, { endpoint: server.url, region: 'eu-central-1', maxAttempts: 1 });
  await Promise.all(Array.from({ length: 100 }, () => client.send(new ListTablesCommand())));
  client.destroy();
  expect(waiting).toHaveLength(100);
});
