import type { IncomingHttpHeaders } from 'node:http';
import { serve, type TestServer } from './server.ts';

/** A received call, such as `secretsmanager.GetSecretValue`, with its input. */
export interface AwsCall {
  readonly operation: string;
  readonly input: unknown;
  readonly headers: IncomingHttpHeaders;
}

export type AwsAnswer = { readonly status: number; readonly body: unknown } | 'say nothing' | 'stop in the answer';

export interface FakeAws extends TestServer {
  readonly calls: readonly AwsCall[];
}

/** An error of AWS's JSON protocols. */
export const awsFailure = (status: number, name: string): AwsAnswer => ({
  status,
  body: { __type: name, message: 'secret detail: ada@example.com' },
});

/** A fake service of AWS, for the SDK's real clients. */
export const startFakeAws = async (answer: (call: AwsCall) => AwsAnswer): Promise<FakeAws> => {
  const calls: AwsCall[] = [];
  const server = await serve((request, response, body) => {
    // SES is called by path, the others by a header.
    const operation = String(request.headers['x-amz-target'] ?? `${request.method} ${request.url}`);
    const call: AwsCall = { operation, input: JSON.parse(body.toString()), headers: request.headers };
    calls.push(call);
    const answered = answer(call);
    if (answered === 'say nothing') return;
    if (answered === 'stop in the answer') {
      response.writeHead(200, { 'Content-Length': 100 }).write('{');
      return;
    }
    response.writeHead(answered.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answered.body));
  });
  return { ...server, calls };
};
