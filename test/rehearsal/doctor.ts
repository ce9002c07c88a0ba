import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CloudFormationClient,
  CreateStackCommand,
  UpdateTerminationProtectionCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, DeleteAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient, UpdateContinuousBackupsCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { SetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import { type EnvironmentInput, stackName } from '../../lib/infrastructure/settings.ts';
import { serve } from '../support/server.ts';
import { CommandError, projectDir, run } from './command.ts';
import { postContact } from './contacts.ts';
import { credentials, region } from './emulator.ts';
import { withFront } from './front.ts';
import type { Deployed } from './operator.ts';
import { type Receiver, withReceiver } from './receiver.ts';
import type { Cast } from './steps.ts';
import { until } from './until.ts';

const environment = 'clinic';
const stack = stackName(environment);

const settingsFor = (site: string, webhook: string): EnvironmentInput => ({
  sites: [{ origin: site, thankYouUrl: `${site}/thanks` }],
  throttles: { public: { rate: 50, burst: 200 }, staff: { rate: 50, burst: 200 } },
  webAcl: true,
  retainData: true,
  logRetentionDays: 7,
  alarmEmails: ['operations@example.com'],
  notifications: { from: 'contact@example.com', emails: ['inbox@example.com'], webhooks: [{ url: webhook }] },
});

/** Options of a client of the AWS SDK. */
const accessOf = ({ emulator: { endpoint } }: Cast) => ({ endpoint, region, credentials });

const finding = v.object({ check: v.string(), what: v.string(), severity: v.string(), remedy: v.string() });

const report = v.pipe(v.string(), v.parseJson(), v.object({ findings: v.array(finding) }));

type Finding = v.InferOutput<typeof finding>;

/**
 * Asks the doctor.
 * @param variables of its environment, besides
 */
const ask = async ({ operator, signal }: Cast, variables: NodeJS.ProcessEnv = {}): Promise<readonly Finding[]> => {
  const offline = `${operator.env['NODE_OPTIONS']} --require="${join(import.meta.dirname, 'offline.cjs')}"`;
  const printed = await run('npx', ['crcs', 'doctor', '--env', environment, '--json'], {
    env: { ...operator.env, NODE_OPTIONS: offline, ...variables },
    signal,
  }).catch((error: unknown) => {
    // The doctor found something: its report is in the message.
    if (error instanceof CommandError) return error.message;
    throw error;
  });
  const line = printed.split('\n').find((each) => each.startsWith('{"environment"'));
  assert.ok(line, `The doctor said: ${printed}`);
  return v.parse(report, line).findings;
};

/** Findings about every stack in the emulator. */
const lasting: readonly (readonly [check: string, what: RegExp, why: string])[] = [
  ['base URLs', /execute-api.* its name has no address/, 'its API has no name in DNS'],
  [
    'drift',
    /^AWS::SecretsManager::Secret \w+ was deleted/,
    'it knows the secret by its ARN, and looks for its name (emulator.py)',
  ],
];

const isLasting = ({ check, what }: Finding) => lasting.some(([of, pattern]) => of === check && pattern.test(what));

const othersOf = (findings: readonly Finding[]) => findings.filter((each) => !isLasting(each));

/** Does what the doctor says to type, of a stack that was deployed once: it is not protected yet. */
const follow = async (cast: Cast, findings: readonly Finding[]) => {
  const dynamoDb = new DynamoDBClient(accessOf(cast));
  const cloudFormation = new CloudFormationClient(accessOf(cast));
  const cures: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
    'cloudformation update-termination-protection --enable-termination-protection --stack-name': (StackName) =>
      cloudFormation.send(new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: true })),
    'dynamodb update-table --deletion-protection-enabled --table-name': (TableName) =>
      dynamoDb.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true })),
  };
  for (const { what, remedy } of findings) {
    const [, command = '', name = ''] = /^aws (.+) (\S+) --region \S+$/.exec(remedy) ?? [];
    const cure = cures[command];
    assert.ok(cure, `Unexpected: ${what}`);
    await cure(name);
  }
};

const output = v.object({ Stacks: v.tuple([v.object({ Outputs: v.tuple([v.object({ OutputValue: v.string() })]) })]) });

/** The credentials of a new role with that policy, as environment variables. */
const roleWith = async (cast: Cast, name: string, policy: object): Promise<NodeJS.ProcessEnv> => {
  const access = accessOf(cast);
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
  assert.deepEqual(othersOf(await ask(cast, await roleWith(cast, 'doctor', policy))), []);
  steps.say('The policy of docs/doctor-policy.json is enough for it');

  const less = { ...policy, Statement: policy.Statement.filter(({ Sid }) => Sid !== 'Tables') };
  const found = othersOf(await ask(cast, await roleWith(cast, 'less', less)));
  for (const action of ['DescribeTable', 'DescribeContinuousBackups', 'DescribeTimeToLive']) {
    assert.ok(
      found.some(({ what }) => what.endsWith(`these AWS credentials may not dynamodb:${action}.`)),
      `Not denied: ${action}`,
    );
  }
  steps.say('Without a statement of it, the doctor names each action that it lacks');
};

/** Breaks this and that, and has the doctor find each. */
const breakAndAsk = async (cast: Cast, { stageUrl, outputs }: Deployed, receiver: Receiver) => {
  const { operator, steps, signal } = cast;
  const access = accessOf(cast);
  const alarm = `${stackName(environment)}-api-5xx`;
  await new CloudWatchClient(access).send(new DeleteAlarmsCommand({ AlarmNames: [alarm] }));
  await new DynamoDBClient(access).send(
    new UpdateContinuousBackupsCommand({
      TableName: outputs['TokensTable'],
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
    }),
  );
  await new SQSClient(access).send(
    new SetQueueAttributesCommand({ QueueUrl: outputs['DeadLetters'], Attributes: { MessageRetentionPeriod: '3600' } }),
  );
  await operator.staff(
    'tokens',
    'issue',
    '--name',
    'script',
    '--allow',
    'all',
    '--expires',
    '7d',
    '--env',
    environment,
  );
  receiver.status = 500;
  await withFront(stageUrl, environment, async (baseUrl) => {
    await postContact(baseUrl, { email: 'visitor@example.com', message: 'Is anybody there?' });
  });

  const expected: readonly (readonly [check: string, what: RegExp])[] = [
    ['alarms', new RegExp(`^The alarm ${alarm} is not there`)],
    ['drift', /^AWS::SQS::Queue NotificationsDeadLetters\w+ was changed by another way: \/MessageRetentionPeriod/],
    ['backups', /^The table of tokens cannot be restored to a point in time/],
    ['token expiry', /^The token "script" expires /],
    ['notifications', /^Webhook\w+ does not accept notifications: HTTP 500\. 1 notification waits/],
    ['sites', /^The form of .* points to https:\/\/old\.example\.com\/prod/],
  ];
  const findAll = async () => {
    const found = othersOf(await ask(cast));
    const isFound = ([check, what]: (typeof expected)[number]) =>
      found.some((each) => each.check === check && each.severity === 'wrong' && what.test(each.what));
    return expected.every(isFound) && found.length === expected.length ? found : undefined;
  };
  // The try in vain has to be logged first.
  for (const { what, remedy } of await until('all that was broken, and nothing else', findAll, signal)) {
    steps.say(what);
    steps.say(`  ${remedy}`);
  }
};

/** Has the doctor look at an environment of its own: as it is, with little permission, and with this and that broken. */
export const rehearseDoctor = async (cast: Cast): Promise<void> => {
  const { operator, aws, steps } = cast;
  let page = '';
  await using site = await serve((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
  });
  await withReceiver(async (receiver) => {
    const deployed = await steps.run(`cdk deploy ${stack}`, () =>
      operator.deploy(stack, { [environment]: settingsFor(site.url, receiver.url) }),
    );
    const baseUrl = deployed.outputs['BaseUrl'] ?? '';
    page = `<form method="post" action="${baseUrl}/api/v1/contact"><textarea name="message"></textarea></form>`;

    await steps.run('Ask the doctor, and do what it says', async () => {
      const found = await ask(cast);
      for (const [check, what, why] of lasting) {
        assert.ok(
          found.some((each) => each.check === check && what.test(each.what)),
          `Not found of ${check}: does the emulator lack it?`,
        );
        steps.notShown(`that the doctor finds nothing wrong of ${check}: ${why}`);
      }
      await follow(cast, othersOf(found));
      assert.deepEqual(othersOf(await ask(cast)), []);
      steps.say(
        `${othersOf(found).length} findings, of a first deployment, which is not protected: after what the doctor says to type there is none`,
      );
    });
    await steps.run('Ask the doctor with little permission', () => askWithLess(cast));
    await steps.run('Break this and that, and ask the doctor', () => {
      page = page.replace(baseUrl, 'https://old.example.com/prod');
      return breakAndAsk(cast, deployed, receiver);
    });
    steps.notShown(
      'what the doctor finds of certificates, of addresses that are not confirmed and of unused tokens: the emulator confirms each address and writes no access log, and there is no domain',
    );
    await steps.run(`cdk destroy ${stack}`, async () => {
      await aws.liftTerminationProtection(stack);
      await operator.destroy(stack);
    });
  });
};
