import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { tokenStore } from '../../../functions/tokens/store.ts';
import { generateToken, hashToken, tokensTable } from '../../../functions/tokens/token.ts';
import { createRecordingClient } from '../../support/recording-client.ts';
import { client, createTable } from '../../support/tables.ts';
import { issueToken } from '../../support/tokens.ts';

it('finds a token until it is deleted', async () => {
  const table = await createTable(tokensTable);
  const store = tokenStore(client, table);
  const token = await issueToken(table, { name: 'Ada', permissions: ['contacts:read'] });
  expect(await store.find(token)).toStrictEqual({
    tokenHash: hashToken(token),
    name: 'Ada',
    permissions: ['contacts:read'],
    createdAt: '2026-01-01T00:00:00.000Z',
  });
  expect(await store.find(generateToken())).toBeUndefined();

  await client.send(new DeleteCommand({ TableName: table, Key: { tokenHash: hashToken(token) } }));
  expect(await store.find(token)).toBeUndefined();
});

// Every read of the embedded store is consistent: only the request shows the option.
it('reads consistently, so that a revoked token is gone at once', async () => {
  const recording = createRecordingClient();
  await tokenStore(recording.client, await createTable(tokensTable)).find(generateToken());
  expect(recording.calls).toMatchObject([{ input: { ConsistentRead: true } }]);
});
