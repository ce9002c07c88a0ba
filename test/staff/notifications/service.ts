import * as v from 'valibot';
import { onTestFinished, vi } from 'vitest';
import { openNotifications } from '../../../lib/staff/notifications/open.ts';
import { serve } from '../../support/server.ts';
import { stackWith } from '../stack.ts';
import { runCommand } from '../staff.ts';

/** The targets of a deployed environment. */
export const targets = {
  Email1a2b3c4d: { kind: 'email', address: 'office@example.com' },
  Slack9c0d1e2f: { kind: 'slack', address: 'secret slack-url' },
  Webhook5e6f7a8b: { kind: 'webhook', address: 'https://crm.example.com/hooks/contact/…', secret: 'arn:one' },
} as const;

export type TargetName = keyof typeof targets;

/** What AWS answers; nothing if the answer is lost. */
type Answer =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | undefined;

type Input = Readonly<Record<string, unknown>>;

export const failure = (name: string, status = 400): Answer => ({
  status,
  headers: { 'x-amzn-ErrorType': name },
  body: { __type: name, message: `${name} of AWS` },
});

const input = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

/** A deployed environment `dev` with these targets in an AWS of the test's own, and the staff command on it. */
export const startNotifying = async (names: readonly TargetName[]) => {
  const outputs: Record<string, string> = { BaseUrl: 'https://api.example.com' };
  /** By operation. */
  const answers: Record<string, (given: Input) => Answer> = {};
  const asked: (readonly [operation: string, Input])[] = [];

  const aws = await serve((request, response, body) => {
    const [, operation] = String(request.headers['x-amz-target'] ?? '').split('.');
    const [, invoked] = /\/functions\/([^/]+)\/invocations$/.exec(request.url ?? '') ?? [];
    if (operation === undefined && invoked === undefined) {
      response.writeHead(200, { 'Content-Type': 'text/xml' }).end(stackWith(outputs));
      return;
    }
    const name = operation ?? `Invoke ${invoked}`;
    const given = v.parse(input, body.toString());
    asked.push([name, given]);
    const answer = (answers[name] ?? (() => failure('ResourceNotFoundException', 404)))(given);
    if (!answer) return void request.socket.destroy();
    response
      .writeHead(answer.status ?? 200, { 'Content-Type': 'application/x-amz-json-1.0', ...answer.headers })
      .end(JSON.stringify(answer.body));
  });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await aws[Symbol.asyncDispose]();
  });
  vi.stubEnv('AWS_ENDPOINT_URL', aws.url);

  if (names.length > 0) {
    outputs['NotifyFunction'] = 'notify';
    outputs['DeadLetters'] = `${aws.url}/123456789012/dead-letters`;
    outputs['FanOutFailures'] = `${aws.url}/123456789012/fan-out-failures`;
  }
  for (const name of names) {
    outputs[`Notify${name}`] = JSON.stringify({ name, ...targets[name], queue: `${aws.url}/123456789012/${name}` });
  }
  const run = (args: readonly string[], options: Parameters<typeof runCommand>[1] = {}) =>
    runCommand(['notifications', ...args, '--env', 'dev'], { openNotifications, ...options });
  return { outputs, answers, asked, run };
};
