import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import { onTestFinished, vi } from 'vitest';
import { serve } from '../support/server.ts';
import { openAsProgram, runCommand, startStaff } from './staff.ts';

const input = v.record(v.string(), v.unknown());

type Input = v.InferOutput<typeof input>;

/** An error of AWS. */
class Failure {
  readonly name: string;
  readonly status: number;
  readonly message: string;

  constructor(name: string, status: number, message: string) {
    [this.name, this.status, this.message] = [name, status, message];
  }
}

/** An answer by which AWS refuses. */
export const failure = (name: string, status = 400, message = `${name} of AWS`): unknown =>
  new Failure(name, status, message);

/** The answer of AWS without a permission. */
export const denied = (action: string): unknown =>
  failure('AccessDeniedException', 403, `User: ci is not authorized to perform: ${action} on resource: x`);

/** An answer that does not arrive. */
export const lost = Symbol('lost');

/** An answer that never comes. */
export const silent = Symbol('silent');

/** The service of IAM, by the prefix of the header X-Amz-Target. */
const services: Readonly<Record<string, string>> = {
  AmazonSQS: 'sqs',
  DynamoDB_20120810: 'dynamodb',
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
  [/^\/2015-03-31\/functions\/([^/]+)\/configuration$/, 'lambda:GetFunctionConfiguration'],
  [/^\/2015-03-31\/functions\/([^/]+)\/invocations$/, 'lambda:InvokeFunction'],
  [/^\/2015-03-31\/event-source-mappings\/([^/]+)/, 'lambda:GetEventSourceMapping'],
  [/^\/v2\/email\/account$/, 'ses:GetAccount'],
  [/^\/v2\/email\/identities\/([^/]+)$/, 'ses:GetEmailIdentity'],
  [/^\/v2\/email\/suppression\/addresses\/([^/]+)$/, 'ses:GetSuppressedDestination'],
];

/** The IAM action of a request, and its input. */
const questionOf = ({ url = '', headers }: IncomingMessage, body: string): readonly [action: string, Input] => {
  const [service = '', operation] = String(headers['x-amz-target'] ?? '').split('.');
  if (operation !== undefined) return [`${services[service]}:${operation}`, v.parse(input, JSON.parse(body))];
  for (const [pattern, action] of paths) {
    const [found, name = ''] = pattern.exec(url) ?? [];
    if (found !== undefined) return [action, { name: decodeURIComponent(name), ...(body && JSON.parse(body)) }];
  }
  const form = Object.fromEntries(new URLSearchParams(body));
  return [`${versions[form['Version'] ?? '']}:${form['Action']}`, form];
};

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/ */
const xml = (value: unknown): string => {
  if (Array.isArray(value)) return value.map((each) => `<member>${xml(each)}</member>`).join('');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, each]) => `<${name}>${xml(each)}</${name}>`)
      .join('');
  }
  return String(value).replaceAll(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
};

const answerXml = (response: ServerResponse, action: string, answer: unknown) => {
  const [, operation = ''] = action.split(':');
  const [version] = Object.entries(versions).find(([, service]) => action.startsWith(`${service}:`)) ?? [];
  const isFailure = answer instanceof Failure;
  const [tag, content] = isFailure
    ? ['ErrorResponse', { Error: { Code: answer.name.replace('Exception', ''), Message: answer.message } }]
    : [`${operation}Response`, { [`${operation}Result`]: answer }];
  response
    .writeHead(isFailure ? answer.status : 200, { 'Content-Type': 'text/xml' })
    .end(`<${tag} xmlns="https://aws.example/doc/${version}/">${xml(content)}</${tag}>`);
};

const answerJson = (response: ServerResponse, answer: unknown) => {
  const isFailure = answer instanceof Failure;
  const headers = {
    'Content-Type': 'application/x-amz-json-1.0',
    ...(isFailure && { 'x-amzn-ErrorType': answer.name }),
  };
  const body = isFailure ? { __type: answer.name, message: answer.message } : answer;
  response.writeHead(isFailure ? answer.status : 200, headers).end(JSON.stringify(body));
};

/** The targets of the environment. */
export const targets = {
  Email1a2b3c4d: { kind: 'email', address: 'office@example.com' },
  Slack9c0d1e2f: { kind: 'slack', address: 'secret slack-url' },
  Webhook5e6f7a8b: { kind: 'webhook', address: 'https://crm.example.com/hooks/contact/…', secret: 'arn:one' },
} as const;

/** The first line of a command that changes the environment. */
export const where = 'Changing dev: stack ContactService-dev, account 123456789012, eu-central-1.\n';

/**
 * A deployed environment `dev` in a fake AWS. Its tables are in the tests' DynamoDB.
 * @param names its targets
 */
export const startDeployed = async (names: readonly (keyof typeof targets)[] = []) => {
  const staff = await startStaff();
  const answers: Record<string, (given: Input) => unknown> = {};
  const asked: (readonly [action: string, Input])[] = [];
  /** The service and region that each request was signed for. */
  const signed: string[] = [];
  /** Headers of every answer. */
  const headers: Record<string, string> = {};
  /** The API's answer to a request without a token. */
  const api = { status: 401, body: '{"error":"Unauthorized"}' };
  const aws = await serve((request, response, body) => {
    if (request.url === '/dev/api/v1/contact') {
      response.writeHead(api.status, { 'Content-Type': 'application/json' }).end(api.body);
      return;
    }
    const [action, given] = questionOf(request, body.toString());
    asked.push([action, given]);
    const [, region, service] =
      /Credential=[^/]+\/\d+\/([^/]+)\/([^/]+)\//.exec(request.headers.authorization ?? '') ?? [];
    signed.push(`${service} ${region}`);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const answer = (answers[action] ?? (() => failure('ResourceNotFoundException', 404)))(given);
    if (answer === silent) return;
    if (answer === lost) request.socket.destroy();
    else if (/^(cloudformation|sns|sts):/.test(action)) answerXml(response, action, answer);
    else answerJson(response, answer);
  });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await aws[Symbol.asyncDispose]();
  });
  vi.stubEnv('AWS_ENDPOINT_URL', aws.url);

  const queueOf = (name: string) => `${aws.url}/123456789012/${name}`;
  const outputs: Record<string, string> = {
    BaseUrl: `${aws.url}/dev`,
    Settings: JSON.stringify({ version: '3.0.0', retainData: false }),
    ContactsTable: staff.tables.contacts,
    CampaignsTable: staff.tables.campaigns,
    TokensTable: staff.tables.tokens,
    ...(names.length > 0 && { NotifyFunction: 'notify', DeadLetters: queueOf('dead-letters') }),
    ...Object.fromEntries(
      names.map((name) => [`Notify${name}`, JSON.stringify({ name, ...targets[name], queue: queueOf(name) })]),
    ),
  };
  const stack = { StackStatus: 'UPDATE_COMPLETE', region: 'eu-central-1' };
  /** The stacks of the account: their outputs, by name. */
  const stacks: Record<string, Readonly<Record<string, string>>> = { 'ContactService-dev': outputs };
  answers['cloudformation:DescribeStacks'] = ({ StackName }) => {
    const found = stacks[String(StackName)];
    if (!found) return failure('ValidationError', 400, `Stack with id ${StackName} does not exist`);
    return {
      Stacks: [
        {
          StackId: `arn:aws:cloudformation:${stack.region}:123456789012:stack/${StackName}/0b1c`,
          StackName,
          StackStatus: stack.StackStatus,
          Outputs: Object.entries(found).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
        },
      ],
    };
  };

  return {
    answers,
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
