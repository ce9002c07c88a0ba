import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudFormationClient, CreateStackCommand, waitUntilStackCreateComplete } from '@aws-sdk/client-cloudformation';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import { stackName } from '../../lib/infrastructure/settings.ts';
import { CommandError, projectDir, run } from './command.ts';
import { credentials, region } from './emulator.ts';
import { settingsOf } from './inhabited.ts';
import type { Deployed } from './operator.ts';
import type { Receiver } from './receiver.ts';
import type { Cast } from './steps.ts';

const environment = 'clinic';
const stack = stackName(environment);

const finding = v.object({ check: v.string(), what: v.string(), severity: v.string(), remedy: v.string() });

const report = v.pipe(v.string(), v.parseJson(), v.object({ findings: v.array(finding) }));

/** No stack in the emulator has a name in DNS. */
const isLasting = ({ check, what }: v.InferOutput<typeof finding>) =>
  check === 'base URLs' && /execute-api.* does not answer: ENOTFOUND\.$/.test(what);

/**
 * Asks the doctor.
 * @param variables further variables of its environment
 * @returns what it finds, besides the base URL
 */
const ask = async ({ operator, signal }: Cast, variables: NodeJS.ProcessEnv = {}) => {
  const offline = `${operator.env['NODE_OPTIONS']} --require="${join(import.meta.dirname, 'offline.cjs')}"`;
  const printed = await run('npx', ['crcs', 'doctor', '--env', environment, '--json'], {
    env: { ...operator.env, NODE_OPTIONS: offline, ...variables },
    signal,
  }).catch((error: unknown) => {
    // It exits with 1, and the message ends with its report.
    if (error instanceof CommandError) return error.message;
    throw error;
  });
  const line = printed.split('\n').find((each) => each.startsWith('{"environment"'));
  assert.ok(line, `The doctor said: ${printed}`);
  const { findings } = v.parse(report, line);
  assert.ok(findings.some(isLasting), 'The base URL answers: does the emulator have a name in DNS?');
  return findings.filter((each) => !isLasting(each));
};

const output = v.object({ Stacks: v.tuple([v.object({ Outputs: v.tuple([v.object({ OutputValue: v.string() })]) })]) });

/** The credentials of a new role with a policy, as environment variables. */
const roleWith = async ({ emulator }: Cast, name: string, policy: object): Promise<NodeJS.ProcessEnv> => {
  const access = { endpoint: emulator.endpoint, region, credentials };
  const client = new CloudFormationClient(access);
  const StackName = `role-${name}`;
  const trust = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: { Ref: 'AWS::AccountId' } } };
  const template = {
    Resources: {
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: {
          AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [trust] },
          Policies: [{ PolicyName: 'look', PolicyDocument: policy }],
        },
      },
    },
    Outputs: { Arn: { Value: { 'Fn::GetAtt': ['Role', 'Arn'] } } },
  };
  await client.send(
    new CreateStackCommand({ StackName, TemplateBody: JSON.stringify(template), Capabilities: ['CAPABILITY_IAM'] }),
  );
  const { reason } = await waitUntilStackCreateComplete({ client, maxWaitTime: 30, minDelay: 1 }, { StackName });
  const [{ Outputs }] = v.parse(output, reason).Stacks;
  const { Credentials: given } = await new STSClient(access).send(
    new AssumeRoleCommand({ RoleArn: Outputs[0].OutputValue, RoleSessionName: name }),
  );
  return {
    AWS_ACCESS_KEY_ID: given?.AccessKeyId,
    AWS_SECRET_ACCESS_KEY: given?.SecretAccessKey,
    AWS_SESSION_TOKEN: given?.SessionToken,
  };
};

const policySchema = v.object({ Version: v.string(), Statement: v.array(v.looseObject({ Sid: v.string() })) });

/** Asks the doctor with the policy of docs/doctor-policy.json, and with one that allows less. */
const askWithLess = async (cast: Cast) => {
  const { steps } = cast;
  const policy = v.parse(
    policySchema,
    JSON.parse(await readFile(join(projectDir, 'docs', 'doctor-policy.json'), 'utf8')),
  );
  // The emulator asks for this permission instead of lambda:GetEventSourceMapping (core/iam_actions.py).
  policy.Statement.push({
    Sid: 'Emulator',
    Effect: 'Allow',
    Action: 'lambda:ListEventSourceMappings',
    Resource: '*',
  });
  assert.deepEqual(await ask(cast, await roleWith(cast, 'doctor', policy)), []);
  steps.say('The policy of docs/doctor-policy.json is enough');

  const less = { ...policy, Statement: policy.Statement.filter(({ Sid }) => Sid !== 'NamesOfTokens') };
  const [found, ...others] = await ask(cast, await roleWith(cast, 'less', less));
  assert.deepEqual([found?.check, others], ['token expiry', []]);
  assert.match(found?.what ?? '', /lack dynamodb:Query\.$/);
  steps.say('Without one of its statements, the doctor names the permission that is missing');
};

/** Breaks three things, and has the doctor find each. */
const breakAndAsk = async (cast: Cast, { outputs }: Deployed) => {
  const { operator, aws, steps } = cast;
  await aws.readQueues(outputs['NotifyFunction'] ?? '', false);
  await operator.staff('tokens', 'issue', '--name', 'CRM', '--allow', 'all', '--expires', '7d', '--env', environment);
  const found = await ask(cast);
  assert.deepEqual(
    found.map(({ check, severity }) => `${check}: ${severity}`),
    ['notifications: wrong', 'notifications: wrong', 'token expiry: wrong'],
  );
  for (const { what, remedy } of found) {
    steps.say(what);
    steps.say(`  ${remedy}`);
  }
};

/** Has the doctor look at an environment: as it is, with few permissions, and broken. */
export const rehearseDoctor = async (cast: Cast, { url }: Receiver): Promise<void> => {
  const { operator, steps } = cast;
  const settings = settingsOf(environment, {
    alarmEmails: ['operations@example.com'],
    notifications: { from: 'contact@example.com', emails: ['inbox@example.com'], webhooks: [{ url }] },
  });
  const deployed = await steps.run(`cdk deploy ${stack}`, () => operator.deploy(stack, settings));
  await steps.run('Ask the doctor', async () => assert.deepEqual(await ask(cast), []));
  await steps.run('Ask the doctor with few permissions', () => askWithLess(cast));
  await steps.run('Break something, and ask the doctor', () => breakAndAsk(cast, deployed));
  steps.notShown(
    'what the doctor finds of base URLs, and of unconfirmed and suppressed addresses: the emulator has no DNS, confirms each address, and suppresses none',
  );
  await steps.run(`cdk destroy ${stack}`, () => operator.destroy(stack));
};
