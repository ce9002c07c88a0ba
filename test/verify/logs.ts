import assert from 'node:assert/strict';
import { paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import * as v from 'valibot';
import type { Deployed } from '../rehearsal/deployed.ts';
import { request, type Scene, targetsIn } from '../rehearsal/notifications.ts';
import { comes } from '../rehearsal/steps.ts';
import type { Clients } from './clients.ts';
import { resourceOf, resourcesOf } from './wiring.ts';

const messagesIn = async ({ logs: client }: Clients, logGroupName: string, filterPattern?: string) => {
  const messages: string[] = [];
  const query = { logGroupName, ...(filterPattern && { filterPattern }) };
  for await (const { events = [] } of paginateFilterLogEvents({ client }, query))
    messages.push(...events.map(({ message = '' }) => message));
  return messages;
};

const notifyLog = (clients: Clients, deployed: Deployed) =>
  resourceOf(clients, deployed, 'AWS::Logs::LogGroup', /NotifyLogs[0-9A-F]{8}$/);

/** API Gateway writes this for what does not exist. */
const missing = '-';
const number = v.pipe(v.string(), v.regex(/^\d+$/));
const value = (only: string) => v.literal(only);

const text = v.pipe(v.string(), v.notValue(missing));

/** A line that must be there, for what a run has sent. */
const expected: Readonly<Record<string, v.ObjectEntries>> = {
  'a form': {
    route: value('POST /api/v1/contact'),
    status: value('201'),
    latency: number,
    error: value(missing),
    integrationStatus: value('200'),
    authorizerStatus: value(missing),
    tokenId: value(missing),
  },
  'a token': {
    route: value('GET /api/v1/contact'),
    status: value('200'),
    integrationStatus: value('200'),
    authorizerStatus: value('200'),
    tokenId: v.pipe(v.string(), v.regex(/^[0-9a-f]{12}$/)),
  },
  'a token that is refused': { route: value('GET /api/v1/contact'), status: value('401'), error: text },
  'an unknown path': { status: value('404'), error: text, integrationStatus: value(missing) },
};

/** The access log has its fields, and for each kind of request the line that the runbook promises. */
export const checkAccessLog = async ({ cast, deployed }: Scene, clients: Clients): Promise<void> => {
  const logGroup = await resourceOf(clients, deployed, 'AWS::Logs::LogGroup', /AccessLog/);
  // Not at the start, because it loads the CDK.
  const { accessLogFields } = await import('../../lib/infrastructure/access-log.ts');
  const line = v.strictObject(v.entriesFromList(accessLogFields, v.string()));
  for (const [what, fields] of Object.entries(expected)) {
    const found = await comes(cast, `the line of ${what} in the access log`, async () => {
      const lines = (await messagesIn(clients, logGroup)).map((message): unknown => JSON.parse(message));
      for (const each of lines) v.parse(line, each);
      return lines.find((each) => v.is(v.object(fields), each));
    });
    const { requestId: _, ...shown } = v.parse(line, found);
    cast.steps.say(`${what}: ${JSON.stringify(shown)}`);
  }
};

/** No log has a visitor's data in it. */
export const checkPrivacy = async ({ cast, deployed }: Scene, clients: Clients): Promise<void> => {
  const notified = await messagesIn(clients, await notifyLog(clients, deployed), '"notification delivered"');
  assert.ok(notified.length > 0, 'The logs are not there');
  const groups = (await resourcesOf(clients, deployed.stack)).filter(({ type }) => type === 'AWS::Logs::LogGroup');
  for (const { physicalId } of groups) {
    for (const datum of [request.email, request.lastName, request.message])
      assert.deepEqual(await messagesIn(clients, physicalId, `"${datum}"`), [], `In ${physicalId}: ${datum}`);
  }
  cast.steps.say(`${groups.length} logs have no visitor's address, name or text`);
};

/** SES took the emails: `notify` logs each target that it delivered to. */
export const expectEmails = async ({ cast, deployed }: Scene, clients: Clients): Promise<void> => {
  const names = targetsIn(deployed.outputs).flatMap(({ kind, name }) => (kind === 'email' ? [name] : []));
  const logGroup = await notifyLog(clients, deployed);
  for (const name of names) {
    await comes(cast, `an email of ${name}`, async () =>
      (await messagesIn(clients, logGroup, '"notification delivered"')).find((message) => message.includes(name)),
    );
  }
  cast.steps.say(`SES took ${names.length} emails`);
};

const delivered = v.pipe(v.string(), v.parseJson(), v.object({ target: v.string(), tries: v.number() }));

/** Says how often SQS counts a message as received that was moved back: AWS documents no answer. */
export const sayTries = async ({ cast, deployed }: Scene, clients: Clients, target: string): Promise<void> => {
  const logGroup = await notifyLog(clients, deployed);
  const last = await comes(cast, 'the log of the delivery', async () =>
    (await messagesIn(clients, logGroup, '"notification delivered"'))
      .map((message) => v.parse(delivered, message))
      .findLast((each) => each.target === target && each.tries > 0),
  );
  cast.steps.say(`Moved back, the message counts as received ${last.tries} times`);
};
