import { serve, type TestServer } from '../support/server.ts';

/**
 * What CloudFormation answers about the stack of a deployed environment.
 * @param outputs the stack's outputs, by their names
 * @param asked is called before it answers
 */
export const serveStack = (
  outputs: Readonly<Record<string, string>>,
  asked: () => void = () => {},
): Promise<TestServer> =>
  serve((_, response) => {
    asked();
    const members = Object.entries(outputs).map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    );
    response
      .writeHead(200, { 'Content-Type': 'text/xml' })
      .end(
        `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult><Stacks><member><Outputs>${members.join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
      );
  });
