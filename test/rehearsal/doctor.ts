import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudFormationClient, CreateStackCommand, waitUntilStackCreateComplete } from '@aws-sdk/client-cloudformation';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import { CommandError, projectDir } from './command.ts';
import type { Deployed } from './deployed.ts';
import { credentials, region } from './emulator.ts';
import type { Cast } from './steps.ts';

const finding = v.object({ check: v.string(), severity: v.string(), what: v.string(), remedy: v.string() });

const report = v.pipe(v.string(), v.parseJson(), v.object({ findings: v.array(finding) }));

/** @returns what the doctor finds; of base URLs it must say that they do not answer, as the emulator has no DNS */
const ask = async ({ operator }: Cast, { environment }: Deployed, role: NodeJS.ProcessEnv) => {
  const variables = { ...role, NODE_OPTIONS: `--require="${join(import.meta.dirname, 'offline.cjs')}"` };
  const printed = await operator
    .staffWith(variables, 'doctor', '--env', environment, '--json')
    .catch((error: unknown) => {
      // It exits with 1, and the message ends with its report.
      if (error instanceof CommandError) return error.message;
      throw error;
    });
  const line = printed.split('\n').find((each) => each.startsWith('{"environment"'));
  assert.ok(line, `The doctor said: ${printed}`);
  const { findings } = v.parse(report, line);
  const others = findings.filter(({ check }) => check !== 'base URLs');
  assert.notEqual(others.length, findings.length);
  return others;
};

const output = v.object({ Stacks: v.tuple([v.object({ Outputs: v.tuple([v.object({ OutputValue: v.string() })]) })]) });

/** The credentials of a new role with a policy, as environment variables. */
const roleWith = async ({ emulator }: Cast, policy: object): Promise<NodeJS.ProcessEnv> => {
  const access = { endpoint: emulator.endpoint, region, credentials };
  const client = new CloudFormationClient(access);
  const StackName = 'doctor';
  const trust = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: { Ref: 'AWS::AccountId' } } };
  const template = {
    Resources: {
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: {
          AssumeRolePolicyDocument: { Version: '2012-10-17', Statement: [trust] },
          Policies: [{ PolicyName: 'doctor', PolicyDocument: policy }],
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
    new AssumeRoleCommand({ RoleArn: Outputs[0].OutputValue, RoleSessionName: StackName }),
  );
  return {
    AWS_ACCESS_KEY_ID: given?.AccessKeyId,
    AWS_SECRET_ACCESS_KEY: given?.SecretAccessKey,
    AWS_SESSION_TOKEN: given?.SessionToken,
  };
};

const policySchema = v.object({ Version: v.string(), Statement: v.array(v.looseObject({ Sid: v.string() })) });

const documentedPolicy = async () => {
  const text = await readFile(join(projectDir, 'docs', 'doctor-policy.json'), 'utf8');
  const policy = v.parse(policySchema, JSON.parse(text));
  // The emulator asks for this permission instead of lambda:GetEventSourceMapping (core/iam_actions.py).
  const emulators = { Sid: 'Emulator', Effect: 'Allow', Action: 'lambda:ListEventSourceMappings', Resource: '*' };
  return { ...policy, Statement: [...policy.Statement, emulators] };
};

/** Asks the doctor with the documented policy; then breaks something. */
export const rehearseDoctor = async (cast: Cast, deployed: Deployed): Promise<void> => {
  const { aws, steps } = cast;
  await steps.run('Ask the doctor', async () => {
    const role = await roleWith(cast, await documentedPolicy());
    assert.deepEqual(await ask(cast, deployed, role), []);
    steps.say(
      'With the policy of docs/doctor-policy.json, it finds only base URLs that do not answer: the emulator has no DNS.',
    );

    await aws.disableMappings(deployed.outputs['NotifyFunction'] ?? '');
    const found = await ask(cast, deployed, role);
    assert.ok(found.length > 0);
    steps.say('The rehearsal disables the event source mapping of each target. Then the doctor also finds:');
    for (const { check, severity, what, remedy } of found) {
      assert.deepEqual([check, severity], ['notifications', 'wrong']);
      steps.say(`${what} ${remedy}`);
    }
  });
};
