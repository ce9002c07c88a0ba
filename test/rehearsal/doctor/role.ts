import { CloudFormationClient, CreateStackCommand, waitUntilStackCreateComplete } from '@aws-sdk/client-cloudformation';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import type { Cast } from '../steps.ts';
import { accessOf } from './access.ts';

const output = v.object({ Stacks: v.tuple([v.object({ Outputs: v.tuple([v.object({ OutputValue: v.string() })]) })]) });

/** What somebody signs with who may do what a policy says. */
export const roleWith = async (cast: Cast, name: string, policy: object): Promise<NodeJS.ProcessEnv> => {
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
