import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { serve, type TestServer } from './server.ts';

/** A received call: `secretsmanager.GetSecretValue`, `DescribeStacks` or `GET /v2/email/account`, with its input. */
export interface AwsCall {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
}

/** A response of the status; a string as its body is sent as it is. */
export type AwsResponse =
  | { readonly status: number; readonly body: unknown }
  | AwsError
  | 'hang up'
  | 'say nothing'
  | 'stop in the response';

export interface FakeAws extends TestServer {
  readonly calls: readonly AwsCall[];
}

export class AwsError {
  readonly status: number;
  readonly name: string;
  readonly message: string;

  constructor(status: number, name: string, message: string) {
    this.status = status;
    this.name = name;
    this.message = message;
  }
}

/** An error of AWS. */
export const awsError = (status: number, name: string, message = 'secret detail: ada@example.com'): AwsError =>
  new AwsError(status, name, message);

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

/** CloudFormation, SNS and STS get forms and respond in XML; the others speak JSON. */
const isForm = ({ headers }: IncomingMessage | AwsCall) =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;

const inXml = (operation: string, response: { readonly body: unknown } | AwsError) => {
  const [tag, content] =
    response instanceof AwsError
      ? ['ErrorResponse', { Error: { Code: response.name.replace('Exception', ''), Message: response.message } }]
      : [`${operation}Response`, { [`${operation}Result`]: response.body }];
  return `<${tag} xmlns="https://aws.example/doc/">${xml(content)}</${tag}>`;
};

const inJson = (response: { readonly body: unknown } | AwsError) =>
  JSON.stringify(response instanceof AwsError ? { __type: response.name, message: response.message } : response.body);

const callOf = (request: IncomingMessage, body: string): AwsCall => {
  const { headers, method, url } = request;
  if (isForm(request)) {
    const input = Object.fromEntries(new URLSearchParams(body));
    return { operation: String(input['Action']), input, headers };
  }
  // SES and Lambda are called by path, the others by a header.
  const operation = String(headers['x-amz-target'] ?? `${method} ${url}`);
  return { operation, input: JSON.parse(body || '{}'), headers };
};

const errorOfS3 = ({ name, message }: AwsError) => `<Error>${xml({ Code: name, Message: message })}</Error>`;

const isS3 = ({ headers }: AwsCall) => headers.authorization?.includes('/s3/aws4_request') === true;

const send = (outgoing: ServerResponse, call: AwsCall, response: AwsResponse): void => {
  if (response === 'say nothing') return;
  if (response === 'hang up') outgoing.destroy();
  else if (response === 'stop in the response') outgoing.writeHead(200, { 'Content-Length': 100 }).write('{');
  else {
    const isText = !(response instanceof AwsError) && typeof response.body === 'string';
    if (response instanceof AwsError) outgoing.setHeader('x-amzn-ErrorType', response.name);
    outgoing.writeHead(response.status, { 'Content-Type': isForm(call) ? 'text/xml' : 'application/x-amz-json-1.0' });
    if (response instanceof AwsError && isS3(call)) outgoing.end(errorOfS3(response));
    else outgoing.end(isText ? response.body : isForm(call) ? inXml(call.operation, response) : inJson(response));
  }
};

/**
 * A fake AWS, for the SDK's real clients.
 * @param response one for all calls, or what chooses it
 * @param headers of every response
 */
export const startFakeAws = async (
  response: AwsResponse | ((call: AwsCall) => AwsResponse),
  headers: Readonly<Record<string, string>> = {},
): Promise<FakeAws> => {
  const calls: AwsCall[] = [];
  const server = await serve((request, outgoing, body) => {
    const call = callOf(request, body.toString());
    calls.push(call);
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
    send(outgoing, call, typeof response === 'function' ? response(call) : response);
  });
  return { ...server, calls };
};

/** A stack, as CloudFormation describes it. */
export interface FakeStack {
  readonly name: string;
  /** @defaultValue UPDATE_COMPLETE */
  readonly status?: string;
  /** @defaultValue eu-central-1 */
  readonly region?: string;
  readonly outputs?: Readonly<Record<string, string>>;
}

/** Responds to DescribeStacks. */
export const describeStacks = (stacks: readonly FakeStack[], { StackName }: AwsCall['input']): AwsResponse => {
  const found = stacks.find(({ name }) => name === StackName);
  if (!found) return awsError(400, 'ValidationError', `Stack with id ${StackName} does not exist`);
  const { name, status = 'UPDATE_COMPLETE', region = 'eu-central-1', outputs = {} } = found;
  const stack = {
    StackId: `arn:aws:cloudformation:${region}:123456789012:stack/${name}/0b1c`,
    StackName: name,
    StackStatus: status,
    Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
  };
  return { status: 200, body: { Stacks: [stack] } };
};
