import { namespace } from '../../staff/stack.ts';
import { serve, type TestServer } from '../../support/server.ts';

/** A stack, as CloudFormation describes it. */
export interface FakeStack {
  readonly name: string;
  readonly region?: string;
  readonly status?: string;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface FakeAws {
  /** Whose credentials are asked with. @defaultValue 123456789012's */
  readonly account?: string;
  readonly stacks?: readonly FakeStack[];
  /** What these credentials may not do. */
  readonly denied?: string;
  /** Whether something else answers in the place of CloudFormation. */
  readonly isOther?: boolean;
  /** With which error a region answers. */
  readonly refusals?: Readonly<Record<string, string>>;
  /** What CloudFormation finds wrong with the name of every stack. */
  readonly invalid?: string;
}

/** What it was asked: `<region> <action> <stack, if one is named>`. */
export interface FakeAwsServer extends TestServer {
  readonly asked: readonly string[];
}

const member = (entries: Readonly<Record<string, string>>) =>
  `<member>${Object.entries(entries)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</member>`;

const described = ({ name, region = 'eu-central-1', ...stack }: FakeStack) =>
  member({
    StackId: `arn:aws:cloudformation:${region}:123456789012:stack/${name}/0b1c`,
    StackName: name,
    StackStatus: stack.status ?? 'UPDATE_COMPLETE',
    CreationTime: '2026-01-01T00:00:00Z',
    Outputs: Object.entries(stack.outputs ?? {})
      .map(([OutputKey, OutputValue]) => member({ OutputKey, OutputValue }))
      .join(''),
    Tags: Object.entries(stack.tags ?? {})
      .map(([Key, Value]) => member({ Key, Value }))
      .join(''),
  });

const failure = (code: string, message: string) => ({
  status: code === 'AccessDenied' ? 403 : 400,
  body: `<ErrorResponse ${namespace}><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

const answer = (
  { account = '123456789012', stacks = [], denied, isOther = false, refusals = {}, invalid }: FakeAws,
  action: string,
  region: string,
  name: string | null,
) => {
  if (action === denied)
    return failure('AccessDenied', `User: x is not authorized to perform: cloudformation:${action}`);
  if (action === 'GetCallerIdentity') {
    return {
      status: 200,
      body: `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>arn:aws:iam::${account}:user/x</Arn><UserId>X</UserId><Account>${account}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
    };
  }
  const refusal = refusals[region];
  if (refusal !== undefined) return failure(refusal, `It is ${region} that says so`);
  if (invalid !== undefined && name !== null) return failure('ValidationError', invalid);
  if (isOther) return { status: 200, body: '<html><body>Log in</body></html>' };
  const found = stacks.filter(
    (stack) => (stack.region ?? 'eu-central-1') === region && (name ?? stack.name) === stack.name,
  );
  if (name !== null && found.length === 0) return failure('ValidationError', `Stack with id ${name} does not exist`);
  return {
    status: 200,
    body: `<DescribeStacksResponse ${namespace}><DescribeStacksResult><Stacks>${found.map(described).join('')}</Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  };
};

/** Answers as STS and CloudFormation do, in each region. */
export const serveAws = async (aws: FakeAws): Promise<FakeAwsServer> => {
  const asked: string[] = [];
  const server = await serve(({ headers }, response, body) => {
    const parameters = new URLSearchParams(body.toString());
    const [action, name] = [parameters.get('Action') ?? '', parameters.get('StackName')];
    // Credential=<key>/<date>/<region>/<service>/aws4_request
    const [, , region = ''] = headers.authorization?.split('/') ?? [];
    asked.push([region, action, name].filter(Boolean).join(' '));
    const { status, body: text } = answer(aws, action, region, name);
    response.writeHead(status, { 'Content-Type': 'text/xml' }).end(text);
  });
  return { ...server, asked };
};
