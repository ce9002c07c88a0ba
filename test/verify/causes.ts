import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteFunctionConcurrencyCommand, PutFunctionConcurrencyCommand } from '@aws-sdk/client-lambda';
import { contactsTable } from '../../functions/contacts/contacts-table.ts';
import { generateToken } from '../../functions/tokens/token.ts';
import { sendOnce, sendTo } from '../acceptance/http.ts';
import type { Scene } from '../rehearsal/notifications.ts';
import { site } from '../rehearsal/settings.ts';
import { comes } from '../rehearsal/steps.ts';
import type { Clients } from './clients.ts';
import { resourceOf } from './wiring.ts';

/** The alarms that the steps of a run cause. The webhook `/failing` causes retries, and the step of the dead-letter queue a letter. */
export const causedAlarms: readonly string[] = [
  'api-5xx',
  'requests-throttled',
  'requests-refused',
  'contacts-flood',
  'unreadable-items',
  'notification-dead-letters',
];

/** Those that SES's mailbox simulator causes. */
export const causedByMail: readonly string[] = ['mail-bounces', 'mail-complaints'];

/** More than the throttle of a second and its burst together: rehearsal/settings.ts. */
const flood = { requests: 1000, atOnce: 150 };

/** Sends more than the environment allows. The gateway's 429 can be read by the page, and says when to come back. */
export const causeThrottling = async ({ cast, baseUrl }: Scene): Promise<void> => {
  const send = () =>
    sendOnce(`${baseUrl}/api/v1/contact`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: site.origin },
      body: '{}',
    });
  const refused: (string | null)[] = [];
  let left = flood.requests;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const { status, headers } = await send();
      if (status !== 429) continue;
      refused.push(headers.get('retry-after'));
      assert.ok(['*', site.origin].includes(headers.get('access-control-allow-origin') ?? ''), 'A page cannot read it');
    }
  };
  await Promise.all(Array.from({ length: flood.atOnce }, worker));
  cast.steps.say(`${refused.length} of ${flood.requests} requests got 429`);
  assert.ok(refused.length >= 10, 'Too few for the alarm');
  assert.ok(
    refused.every((seconds) => seconds === '1'),
    'Not all have Retry-After: 1',
  );
};

/** Uses tokens that do not exist, as often as the alarm needs. */
export const causeRefusals = async ({ cast, baseUrl }: Scene): Promise<void> => {
  const tokens = Array.from({ length: 12 }, generateToken);
  for (const Authentication of tokens)
    assert.equal((await sendTo(`${baseUrl}/api/v1/contact`, { headers: { Authentication } })).status, 401);
  cast.steps.say(`${tokens.length} unknown tokens got 401`);
};

/** An item that nobody can read is left out of the list. */
export const causeUnreadableItem = async ({ cast, deployed, baseUrl, token }: Scene, { dynamoDb }: Clients) => {
  const TableName = deployed.outputs['ContactsTable'];
  const id = randomUUID();
  const { partitionKey, sortKey } = contactsTable.listIndex;
  const Item = {
    id: { S: id },
    createdAt: { N: '1' },
    [partitionKey]: { S: contactsTable.listPartitions.inbox },
    [sortKey]: { S: `${new Date().toISOString()}#${id}` },
  };
  await dynamoDb.send(new PutItemCommand({ TableName, Item }));
  try {
    // The index follows the table.
    await comes(cast, 'the item in the index', async () => {
      const { status } = await sendTo(`${baseUrl}/api/v1/contact/${id}`, { headers: { Authentication: token } });
      return status >= 500 || undefined;
    });
    const list = await sendTo(`${baseUrl}/api/v1/contact`, { headers: { Authentication: token } });
    assert.equal(list.status, 200);
    assert.ok(!list.text.includes(id));
  } finally {
    await dynamoDb.send(new DeleteItemCommand({ TableName, Key: { id: { S: id } } }));
  }
  cast.steps.say('The list responds without the unreadable item');
};

/** While the authorizer cannot run, staff get an error of the service's form, and know when to come back. */
export const causeAuthorizerFailure = async ({ cast, deployed, baseUrl }: Scene, clients: Clients): Promise<void> => {
  const { lambda } = clients;
  const FunctionName = await resourceOf(clients, deployed, 'AWS::Lambda::Function', /^Authorizer[0-9A-F]{8}$/);
  await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 }));
  try {
    const { status, headers, body } = await comes(cast, 'an error of the authorizer', async () => {
      // The gateway remembers verdicts by token.
      const Authentication = generateToken();
      const response = await sendOnce(`${baseUrl}/api/v1/contact`, { headers: { Authentication } });
      return response.status >= 500 ? response : undefined;
    });
    cast.steps.say(`Without its authorizer, the API responds with ${status} ${JSON.stringify(body)}`);
    assert.equal(status, 503);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  } finally {
    await lambda.send(new DeleteFunctionConcurrencyCommand({ FunctionName }));
  }
  await comes(cast, 'the authorizer again', async () => {
    const headers = { Authentication: generateToken() };
    return (await sendOnce(`${baseUrl}/api/v1/contact`, { headers })).status === 401 || undefined;
  });
};
