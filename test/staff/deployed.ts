import { onTestFinished, vi } from 'vitest';
import { type AwsCall, AwsError, awsError, describeStacks, startFakeAws } from '../support/fake-aws.ts';
import { openAsProgram, runCommand, startStaff } from './staff.ts';

type Input = AwsCall['input'];

/** The response of AWS without a permission. */
export const denied = (action: string): AwsError =>
  awsError(403, 'AccessDeniedException', `User: ci is not authorized to perform: ${action} on resource: x`);

/** The service of IAM, by the prefix of the header X-Amz-Target. */
const services: Readonly<Record<string, string>> = {
  AWSFreeTierService: 'freetier',
  AmazonSQS: 'sqs',
  DynamoDB_20120810: 'dynamodb',
  Logs_20140328: 'logs',
  secretsmanager: 'secretsmanager',
};

/** The service of IAM, by the version of its API in a form. */
const versions: Readonly<Record<string, string>> = {
  '2010-03-31': 'sns',
  '2010-05-15': 'cloudformation',
  '2011-06-15': 'sts',
};

/** Operations that are named by the path. */
const paths: readonly (readonly [RegExp, action: string])[] = [
  [/ \/2015-03-31\/functions\/([^/]+)\/configuration$/, 'lambda:GetFunctionConfiguration'],
  [/ \/2015-03-31\/functions\/([^/]+)\/invocations$/, 'lambda:InvokeFunction'],
  [/^GET \/malware-protection-plan\/([^/]+)$/, 'guardduty:GetMalwareProtectionPlan'],
  [/^GET \/([^/]+)\/\?publicAccessBlock=?$/, 's3:GetBucketPublicAccessBlock'],
  [/ \/v2\/email\/account$/, 'ses:GetAccount'],
  [/^GET \/v2\/email\/configuration-sets\/([^/]+)$/, 'ses:GetConfigurationSet'],
  [/ \/v2\/email\/configuration-sets\/([^/]+)\/sending$/, 'ses:PutConfigurationSetSendingOptions'],
  [/ \/v2\/email\/identities\/([^/]+)$/, 'ses:GetEmailIdentity'],
  [/ \/v2\/email\/suppression\/addresses\/([^/]+)$/, 'ses:GetSuppressedDestination'],
];

/** The IAM action of a call, and its input. */
const questionOf = ({ operation, input }: AwsCall): readonly [action: string, Input] => {
  for (const [pattern, action] of paths) {
    const [found, name = ''] = pattern.exec(operation) ?? [];
    if (found !== undefined) return [action, { name: decodeURIComponent(name), ...input }];
  }
  const [service = '', named] = operation.split('.');
  return named === undefined
    ? [`${versions[String(input['Version'])]}:${operation}`, input]
    : [`${services[service]}:${named}`, input];
};

/** The targets of the environment. */
export const targets = {
  Email1a2b3c4d: { kind: 'email', address: 'office@example.com' },
  Slack9c0d1e2f: { kind: 'slack', address: 'secret slack-url' },
  Webhook5e6f7a8b: { kind: 'webhook', address: 'https://crm.example.com/hooks/contact?…', secret: 'arn:one' },
} as const;

/** The first line of a command that changes the environment. */
export const where = 'Changing dev: stack ContactService-dev, account 123456789012, eu-central-1.\n';

/**
 * A deployed environment `dev` in a fake AWS. Its tables are in the tests' DynamoDB.
 * @param names its targets
 */
export const startDeployed = async (names: readonly (keyof typeof targets)[] = []) => {
  const staff = await startStaff();
  const responses: Record<string, (given: Input) => unknown> = {};
  const asked: (readonly [action: string, Input])[] = [];
  /** The service and region that each request was signed for. */
  const signed: string[] = [];
  /** Headers of every response. */
  const headers: Record<string, string> = {};
  /** The API's response to a request without a token. */
  const api = { status: 401, body: '{"error":"Unauthorized","details":[{"field":"Authentication"}]}' };
  const aws = await startFakeAws((call) => {
    if (call.operation === 'GET /dev/api/v1/contact') return api;
    const [action, given] = questionOf(call);
    asked.push([action, given]);
    const [, region, service] =
      /Credential=[^/]+\/\d+\/([^/]+)\/([^/]+)\//.exec(call.headers.authorization ?? '') ?? [];
    signed.push(`${service} ${region}`);
    const response = (responses[action] ?? (() => awsError(404, 'ResourceNotFoundException')))(given);
    if (response instanceof AwsError || response === 'hang up' || response === 'say nothing') return response;
    return { status: 200, body: response };
  }, headers);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await aws[Symbol.asyncDispose]();
  });
  vi.stubEnv('AWS_ENDPOINT_URL', aws.url);

  const outputs: Record<string, string> = {
    BaseUrl: `${aws.url}/dev`,
    Settings: JSON.stringify({ version: '4.0.0', retainData: false, triage: true }),
    ContactsTable: staff.tables.contacts,
    CampaignsTable: staff.tables.campaigns,
    TokensTable: staff.tables.tokens,
    ...(names.length > 0 && {
      NotifyFunction: 'notify',
      FanOutFunction: 'fan-out',
      DeadLetters: `${aws.url}/123456789012/dead-letters`,
    }),
    ...Object.fromEntries(names.map((name) => [`Notify${name}`, JSON.stringify({ name, ...targets[name] })])),
  };
  const stack = { region: 'eu-central-1' };
  /** The stacks of the account: their outputs, by name. */
  const stacks: Record<string, Readonly<Record<string, string>>> = { 'ContactService-dev': outputs };
  responses['cloudformation:DescribeStacks'] = (given) => {
    const all = Object.entries(stacks).map(([name, found]) => ({ name, ...stack, outputs: found }));
    const response = describeStacks(all, given);
    return typeof response === 'object' && 'body' in response ? response.body : response;
  };

  return {
    responses,
    api,
    asked,
    signed,
    headers,
    outputs,
    stack,
    stacks,
    tables: staff.tables,
    everything: staff.everything,
    url: aws.url,
    run: (args: readonly string[], options: Parameters<typeof runCommand>[1] = {}) =>
      runCommand([...args, '--env', 'dev'], {
        openEnvironment: openAsProgram,
        ...options,
      }),
    /** Runs a command on the same tables as those of `local`. */
    staff: staff.run,
  };
};

export type DeployedEnvironment = Awaited<ReturnType<typeof startDeployed>>;
