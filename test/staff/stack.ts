import { serve, type TestServer } from '../support/server.ts';

/** The XML namespace of what CloudFormation answers. */
export const namespace = 'xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"';

/** Where the stack is. */
interface StackIn {
  readonly name?: string;
  readonly account?: string;
  readonly region?: string;
}

const escaped = (text: string) => text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The outputs that tests need not name. */
const everyStack = { Settings: '{"version":"3.0.0","retainData":false}' };

/** What CloudFormation answers about the stack of a deployed environment. */
export const stackWith = (
  outputs: Readonly<Record<string, string>>,
  { name = 'ContactService-dev', account = '123456789012', region = 'eu-central-1' }: StackIn = {},
): string => {
  const stackId = `arn:aws:cloudformation:${region}:${account}:stack/${name}/0b1c`;
  const members = Object.entries({ ...everyStack, ...outputs }).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${escaped(value)}</OutputValue></member>`,
  );
  return `<DescribeStacksResponse ${namespace}><DescribeStacksResult><Stacks><member><StackId>${stackId}</StackId><StackName>${name}</StackName><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
};

/**
 * Answers as CloudFormation does about the stack of a deployed environment.
 * @param outputs the stack's outputs, by their names
 * @param asked is called before it answers
 */
export const serveStack = (
  outputs: Readonly<Record<string, string>>,
  asked: () => void = () => {},
): Promise<TestServer> =>
  serve((_, response) => {
    asked();
    response.writeHead(200, { 'Content-Type': 'text/xml' }).end(stackWith(outputs));
  });
