import { CreateStackCommand, waitUntilStackCreateComplete } from '@aws-sdk/client-cloudformation';
import { paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs';
import { UpdateFunctionConfigurationCommand, waitUntilFunctionUpdatedV2 } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { describeStacks, outputsOf } from '../../lib/shared/aws.ts';
import type { Received, Receiver } from '../rehearsal/receiver.ts';
import type { Clients } from './clients.ts';
import { receiverStack, tagsOf } from './name.ts';

/** What is logged of a request, on one line. */
const received = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ path: v.string(), headers: v.record(v.string(), v.string()), body: v.string() }),
);

/** It logs each request. `/signed` can be told to fail, and `/failing` always does. */
const code = `
exports.handler = async ({ rawPath, headers, body = '', isBase64Encoded }) => {
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  console.log(JSON.stringify({ path: rawPath, headers, body: text }));
  const statuses = { '/signed': Number(process.env.SIGNED_STATUS), '/failing': 500 };
  return { statusCode: statuses[rawPath] ?? 204 };
};
`;

/** The role of API Gateway in the account, before the run; CloudFormation has no empty outputs. */
const noRole = 'none';

/**
 * A function at a URL of its own. The stack is the first that a run makes, and the last that it removes: its output remembers what
 * the run has to put back.
 * https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html has the two permissions.
 */
const template = (roleBefore: string) => ({
  Description: 'Receives the webhooks of npm run verify',
  Resources: {
    Logs: { Type: 'AWS::Logs::LogGroup', Properties: { RetentionInDays: 1 } },
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } }],
        },
        Policies: [
          {
            PolicyName: 'log',
            PolicyDocument: {
              Version: '2012-10-17',
              Statement: [
                {
                  Effect: 'Allow',
                  Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
                  Resource: { 'Fn::GetAtt': ['Logs', 'Arn'] },
                },
              ],
            },
          },
        ],
      },
    },
    Function: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        Code: { ZipFile: code },
        Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
        Environment: { Variables: { SIGNED_STATUS: '204' } },
        LoggingConfig: { LogGroup: { Ref: 'Logs' } },
      },
    },
    Url: { Type: 'AWS::Lambda::Url', Properties: { AuthType: 'NONE', TargetFunctionArn: { Ref: 'Function' } } },
    CallUrl: {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        Action: 'lambda:InvokeFunctionUrl',
        FunctionName: { Ref: 'Function' },
        FunctionUrlAuthType: 'NONE',
        Principal: '*',
      },
    },
    CallByUrl: {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        Action: 'lambda:InvokeFunction',
        FunctionName: { Ref: 'Function' },
        InvokedViaFunctionUrl: true,
        Principal: '*',
      },
    },
  },
  Outputs: {
    Url: { Value: { 'Fn::GetAtt': ['Url', 'FunctionUrl'] } },
    Function: { Value: { Ref: 'Function' } },
    Logs: { Value: { Ref: 'Logs' } },
    RoleBefore: { Value: roleBefore },
  },
});

const outputs = v.object({ Url: v.string(), Function: v.string(), Logs: v.string() });

/**
 * What API Gateway's role was before the run, as the receiver's stack remembers it.
 * @returns undefined if there is no such stack; an empty text if there was no role
 */
export const rememberedRole = async ({ cloudFormation }: Clients, name: string): Promise<string | undefined> => {
  const [stack] = (await describeStacks(cloudFormation, receiverStack(name))) ?? [];
  const role = stack && outputsOf(stack)['RoleBefore'];
  return role === noRole ? '' : role;
};

/** The requests in a text of the log: CloudWatch has one of them in an event, an emulator can have several. */
const receivedIn = (message: string): Received[] =>
  (message.match(/\{"path":.*\}/g) ?? []).map((line) => v.parse(received, line));

interface Order {
  readonly name: string;
  /** That of API Gateway in the account. */
  readonly role: string | undefined;
  /** @returns the URL at which the service reaches a function, from its URL on AWS */
  readonly reachable: (url: string) => string;
  readonly signal: AbortSignal;
}

/** Deploys the receiver. */
export const deployReceiver = async (
  { cloudFormation, lambda, logs }: Clients,
  { name, role, reachable, signal: abortSignal }: Order,
): Promise<Receiver> => {
  const StackName = receiverStack(name);
  await cloudFormation.send(
    new CreateStackCommand({
      StackName,
      TemplateBody: JSON.stringify(template(role || noRole)),
      Capabilities: ['CAPABILITY_IAM'],
      OnFailure: 'DELETE',
      Tags: Object.entries(tagsOf(name)).map(([Key, Value]) => ({ Key, Value })),
    }),
  );
  await waitUntilStackCreateComplete(
    { client: cloudFormation, minDelay: 1, maxDelay: 10, maxWaitTime: 600, abortSignal },
    { StackName },
  );
  const [stack] = (await describeStacks(cloudFormation, StackName)) ?? [];
  if (!stack) throw new Error('The stack of the receiver is gone');
  const { Url, Function: FunctionName, Logs: logGroupName } = v.parse(outputs, outputsOf(stack));
  return {
    url: reachable(Url).replace(/\/$/, ''),
    respondWith: async (status) => {
      const Environment = { Variables: { SIGNED_STATUS: String(status) } };
      await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment }));
      await waitUntilFunctionUpdatedV2(
        { client: lambda, minDelay: 1, maxWaitTime: 120, abortSignal },
        { FunctionName },
      );
    },
    received: async () => {
      const all: Received[] = [];
      for await (const { events = [] } of paginateFilterLogEvents({ client: logs }, { logGroupName }))
        for (const { message = '' } of events) all.push(...receivedIn(message));
      return all;
    },
  };
};
