import { serve, type TestServer } from '../support/server.ts';

const namespace = 'xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"';

/** A stack, as CloudFormation describes it. */
export interface FakeStack {
  readonly name: string;
  readonly status?: string;
  readonly outputs?: Readonly<Record<string, string>>;
}

export interface FakeAws {
  /** The account of the credentials. @defaultValue 123456789012 */
  readonly account?: string;
  readonly stacks?: readonly FakeStack[];
  /** The answer to every question about a stack, instead. */
  readonly answer?: { readonly status: number; readonly body: string };
}

const member = (entries: Readonly<Record<string, string>>) =>
  `<member>${Object.entries(entries)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</member>`;

const described = ({ name, status = 'UPDATE_COMPLETE', outputs = {} }: FakeStack) =>
  member({
    StackName: name,
    StackStatus: status,
    CreationTime: '2026-01-01T00:00:00Z',
    Outputs: Object.entries(outputs)
      .map(([OutputKey, OutputValue]) => member({ OutputKey, OutputValue }))
      .join(''),
  });

/** An error of CloudFormation. */
export const failure = (status: number, code: string, message: string) => ({
  status,
  body: `<ErrorResponse ${namespace}><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

const answerOf = ({ account = '123456789012', stacks = [], answer }: FakeAws, parameters: URLSearchParams) => {
  if (parameters.get('Action') === 'GetCallerIdentity') {
    return {
      status: 200,
      body: `<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetCallerIdentityResult><Arn>arn:aws:iam::${account}:user/x</Arn><UserId>X</UserId><Account>${account}</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
    };
  }
  if (answer) return answer;
  const name = parameters.get('StackName');
  const found = stacks.filter((stack) => stack.name === name);
  if (found.length === 0) return failure(400, 'ValidationError', `Stack with id ${name} does not exist`);
  return {
    status: 200,
    body: `<DescribeStacksResponse ${namespace}><DescribeStacksResult><Stacks>${found.map(described).join('')}</Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  };
};

/** Answers as STS and CloudFormation do. */
export const serveAws = (aws: FakeAws): Promise<TestServer> =>
  serve((_, response, body) => {
    const { status, body: text } = answerOf(aws, new URLSearchParams(body.toString()));
    response.writeHead(status, { 'Content-Type': 'text/xml' }).end(text);
  });
