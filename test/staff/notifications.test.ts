import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import type { Conditions } from '../../functions/notify/conditions.ts';
import { fanOutSettings } from '../../functions/notify/notify-settings.ts';
import { toVariables } from '../../functions/shared/variables.ts';
import { awsError } from '../support/fake-aws.ts';
import { type DeployedEnvironment, startDeployed, targets, where } from './deployed.ts';
import { store } from './staff.ts';

const all = ['Email1a2b3c4d', 'Slack9c0d1e2f', 'Webhook5e6f7a8b'] as const;
const webhook = 'Webhook5e6f7a8b';
const document = readFileSync('docs/notifications.md', 'utf8');
/** What is left out can be a query, so no slash stands before it. */
const shownUrl = 'https://crm.example.com/hooks/contact?…';

/** The last line on stderr of a command that fails. */
const errorOf = async ({ run }: Pick<DeployedEnvironment, 'run'>, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await run(['notifications', ...args]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  return stderr.split('\n').at(-2);
};

it.each([['test'], ['redrive'], ['secret'], ['rotate', webhook]])('names the missing setting: %s', async (...args) => {
  expect(await errorOf(await startDeployed(), ...args)).toBe(
    '"dev" has no notification targets: set notifications (see docs/settings.md) and deploy.',
  );
});

/** An environment in which each target gets its sample, unless its response is given. */
const startSampling = async (responses: Readonly<Record<string, unknown>> = {}) => {
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
  const deployed = await startDeployed(all);
  deployed.responses['lambda:InvokeFunction'] = ({ sample }) =>
    responses[String(sample)] ?? { delivered: true, milliseconds: 41.7 };
  return deployed;
};

it('sends a sample to every target and shows the results, as docs/notifications.md has them', async () => {
  const { run } = await startSampling();
  const stdout = [
    'TARGET           RESULT     MS  TO\n',
    'Email1a2b3c4d    delivered  42  office@example.com\n',
    'Slack9c0d1e2f    delivered  42  secret slack-url\n',
    'Webhook5e6f7a8b  delivered  42  https://crm.example.com/hooks/contact?…\n',
  ].join('');
  expect(await run(['notifications', 'test'])).toEqual({ code: 0, stdout, stderr: '' });
  expect(document).toContain(`\`\`\`\n${stdout}\`\`\`\n`);
});

it.each([
  ['the reason of the function', { delivered: false, reason: 'HTTP 500', milliseconds: 5 }, 'HTTP 500'],
  [
    'the class of a crash',
    { errorType: 'Sandbox.Timedout', errorMessage: 'of ada@example.com' },
    'the function failed (Sandbox.Timedout)',
  ],
  ['a response in another form', { statusCode: 200 }, 'unreadable response'],
  ['an error of AWS about one target', awsError(429, 'TooManyRequestsException'), 'TooManyRequestsException'],
])('shows why a target did not get the sample: %s', async (_, response, reason) => {
  const { run } = await startSampling({ [webhook]: response });
  const { code, stdout, stderr } = await run(['notifications', 'test', '--json']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: '1 of 3 targets did not get the sample: see docs/runbook.md#notification-retries.\n',
  });
  const delivered = { delivered: true, milliseconds: 41.7 };
  expect(JSON.parse(stdout)).toEqual([
    { target: 'Email1a2b3c4d', to: 'office@example.com', ...delivered },
    { target: 'Slack9c0d1e2f', to: 'secret slack-url', ...delivered },
    expect.objectContaining({ target: webhook, to: shownUrl, delivered: false, reason }),
  ]);
  expect(stdout).not.toContain('ada@');
});

it('shows each reason if every target fails, some for a reason of their own', async () => {
  const [first, ...others] = all;
  const failing = { delivered: false, reason: 'HTTP 500', milliseconds: 5 };
  const throttled = awsError(429, 'TooManyRequestsException');
  const { run } = await startSampling({
    [first ?? '']: failing,
    ...Object.fromEntries(others.map((name) => [name, throttled])),
  });
  const { stdout, stderr } = await run(['notifications', 'test']);
  expect(stdout.match(/HTTP 500|TooManyRequestsException/g)).toHaveLength(all.length);
  expect(stderr).toMatch(/^3 of 3 targets did not get the sample: /);
});

it('prints one line if AWS refuses every call', async () => {
  const refused = awsError(403, 'ExpiredTokenException');
  const { run } = await startSampling(Object.fromEntries(all.map((name) => [name, refused])));
  const { code, stdout, stderr } = await run(['notifications', 'test']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^AWS refuses the credentials \(ExpiredTokenException\): .*\n$/);
});

it('says that notifications are paused', async () => {
  const { run, outputs } = await startSampling();
  outputs['Settings'] = JSON.stringify({ version: '4.0.0', retainData: true, notificationsPaused: true });
  const { code, stderr } = await run(['notifications', 'test']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Notifications are paused: /) });
});

/** An environment whose function fan-out has these conditions. */
const startRouting = async (conditions: Readonly<Partial<Record<keyof typeof targets, Conditions>>>) => {
  const deployed = await startDeployed(all);
  const queues = Object.fromEntries(
    Object.entries(conditions).map(([name, given]) => [name, { url: `https://sqs/${name}`, ...given }]),
  );
  deployed.responses['lambda:GetFunctionConfiguration'] = ({ name }) =>
    name === 'fan-out' && { Environment: { Variables: toVariables(fanOutSettings, { environment: 'dev', queues }) } };
  return deployed;
};

it('shows which targets a contact request reaches, and which condition keeps it from the others, and sends nothing', async () => {
  const deployed = await startRouting({
    Email1a2b3c4d: {},
    Slack9c0d1e2f: { otherwise: true },
    Webhook5e6f7a8b: { where: { topic: ['Sales'] } },
  });
  const id = await store(deployed, { extra: { topic: 'sales' } });
  expect(await deployed.run(['notifications', 'test', '--for', id])).toEqual({
    code: 0,
    stdout: [
      'TARGET           REACHED        TO\n',
      'Email1a2b3c4d    yes            office@example.com\n',
      'Slack9c0d1e2f    no: otherwise  secret slack-url\n',
      'Webhook5e6f7a8b  yes            https://crm.example.com/hooks/contact?…\n',
    ].join(''),
    stderr: 'It reaches 2 of 3 targets. Nothing was sent.\n',
  });
  expect(deployed.asked.map(([action]) => action)).not.toContain('lambda:InvokeFunction');
});

it('shows for scripts the queue of each target, and that spam reaches only targets for spam', async () => {
  const deployed = await startRouting({ Email1a2b3c4d: { spam: true }, Slack9c0d1e2f: {} });
  const id = await store(deployed, { email: 'eve@example.com' }, { spam: true });
  const { stdout, stderr } = await deployed.run(['notifications', 'test', '--for', id, '--json']);
  expect({ items: JSON.parse(stdout), stderr }).toEqual({
    items: [
      { target: 'Email1a2b3c4d', to: 'office@example.com', reached: true, queue: 'https://sqs/Email1a2b3c4d' },
      {
        target: 'Slack9c0d1e2f',
        to: 'secret slack-url',
        reached: false,
        unmet: 'spam',
        queue: 'https://sqs/Slack9c0d1e2f',
      },
      // A deployment is adding it.
      { target: webhook, to: shownUrl, reached: false },
    ],
    stderr: '',
  });
});

it('says why it cannot tell which targets a contact request reaches', async () => {
  const deployed = await startRouting({ Email1a2b3c4d: {} });
  const missing = '00000000-0000-4000-8000-000000000000';
  expect(await errorOf(deployed, 'test', '--for', missing)).toMatch(/^There is no contact request 00000000-/);
  expect(await errorOf(deployed, 'test', '--for', 'one')).toMatch(/^--for: "one" is not an id\. /);
  delete deployed.outputs['FanOutFunction'];
  expect(await errorOf(deployed, 'test', '--for', missing)).toBe(
    'Deploy the environment again: --for needs this version.',
  );
});

const QueueArn = 'arn:aws:sqs:eu-central-1:123456789012:dead-letters';
const former = { Status: 'COMPLETED', StartedTimestamp: 1, ApproximateNumberOfMessagesMoved: 70 };
const running = { Status: 'RUNNING', StartedTimestamp: 2, ApproximateNumberOfMessagesMoved: 1 };
const completed = { ...running, Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 3 };

/** An environment with so many dead letters, in which SQS shows these tasks one after the other. */
const startRedriving = async (messages: number, shown: readonly unknown[]) => {
  const deployed = await startDeployed(['Webhook5e6f7a8b']);
  const tasks = [...shown];
  Object.assign(deployed.responses, {
    'sqs:GetQueueAttributes': () => ({ Attributes: { QueueArn, ApproximateNumberOfMessages: `${messages}` } }),
    'sqs:ListMessageMoveTasks': () => {
      const task = tasks.shift();
      return { Results: task ? [task] : [] };
    },
    'sqs:StartMessageMoveTask': () => ({ TaskHandle: 'one' }),
  });
  const started = () => deployed.asked.filter(([action]) => action === 'sqs:StartMessageMoveTask');
  return { ...deployed, tasks, started };
};

it.each([
  ['the first time', [undefined, undefined, running, running, completed]],
  ['again, although SQS shows the former task for a while', [former, former, running, completed]],
])(
  'moves all dead letters back to their queues, waits for the end, and says what docs/notifications.md shows: %s',
  async (_, shown) => {
    const { run, started, tasks } = await startRedriving(3, shown);
    expect(document).toContain('`Moved 3 notifications.`');
    expect(await run(['notifications', 'redrive'])).toEqual({
      code: 0,
      stdout: '',
      stderr: `${where}3 notifications in the dead-letter queue.\nMoved 3 notifications.\n`,
    });
    expect(started()).toEqual([['sqs:StartMessageMoveTask', { SourceArn: QueueArn }]]);
    expect(tasks).toEqual([]);
  },
);

it('follows a task that is running and starts none', async () => {
  const { run, started } = await startRedriving(0, [running, running, completed]);
  expect(await run(['notifications', 'redrive'])).toEqual({
    code: 0,
    stdout: '',
    stderr: `${where}SQS is already moving notifications.\nMoved 3 notifications.\n`,
  });
  expect(started()).toEqual([]);
});

it('says that the dead-letter queue is empty', async () => {
  const { run, started } = await startRedriving(0, [former]);
  expect(await run(['notifications', 'redrive'])).toEqual({
    code: 0,
    stdout: '',
    stderr: `${where}The dead-letter queue is empty.\n`,
  });
  expect(started()).toEqual([]);
});

it('exits with 1 if SQS stops before the end', async () => {
  const failed = { ...running, Status: 'FAILED', FailureReason: 'AWS.SimpleQueueService.NonExistentQueue' };
  const { run } = await startRedriving(3, [undefined, failed]);
  const { code, stderr } = await run(['notifications', 'redrive']);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /\nMoved 1 notification\.\nSQS stopped before the end \(AWS\.SimpleQueueService\.NonExistentQueue\): see docs\/runbook\.md#notification-dead-letters\.\n$/,
  );
});

it('says on Ctrl-C that SQS continues', async () => {
  const { run, responses } = await startRedriving(3, []);
  const stopped = new AbortController();
  let looks = 0;
  responses['sqs:ListMessageMoveTasks'] = () => {
    looks += 1;
    if (looks === 3) stopped.abort();
    return { Results: looks === 1 ? [] : [running] };
  };
  const options = {
    signal: stopped.signal,
    wait: async (_: number, signal: AbortSignal) => signal.throwIfAborted(),
  };
  const { code, stderr } = await run(['notifications', 'redrive'], options);
  expect(code).toBe(130);
  expect(stderr).toMatch(
    /SQS continues on its own\. Run the command again to follow the progress\.\nStopped before the end\.\n$/,
  );
});

const { secret: arn } = targets[webhook];
const first = 'A'.repeat(44);
const second = 'b'.repeat(44);
const hour = 60 * 60 * 1000;

/** An environment whose webhook got these secrets, each so many hours ago. */
const startSigning = async (...ages: readonly number[]) => {
  const deployed = await startDeployed(all);
  const versions = ages.map((age, at) => ({
    token: String(at),
    secret: [first, second][at] ?? '',
    createdAt: new Date(Date.now() - age * hour),
  }));
  Object.assign(deployed.responses, {
    'secretsmanager:GetSecretValue': ({ SecretId, VersionStage }: Readonly<Record<string, unknown>>) => {
      const version = SecretId === arn && versions.at(VersionStage === 'AWSCURRENT' ? -1 : -2);
      if (!version) return awsError(400, 'ResourceNotFoundException');
      return { SecretString: version.secret, CreatedDate: version.createdAt.getTime() / 1000 };
    },
    'secretsmanager:PutSecretValue': ({ SecretString, ClientRequestToken }: Readonly<Record<string, unknown>>) => {
      const token = String(ClientRequestToken);
      if (versions.some((version) => version.token === token)) return {};
      versions.push({ token, secret: String(SecretString), createdAt: new Date() });
      return {};
    },
  });
  const secrets = () => versions.map(({ secret }) => secret);
  const untilOf = (at: number) => new Date((versions[at]?.createdAt.getTime() ?? 0) + 24 * hour).toISOString();
  return { ...deployed, secrets, untilOf };
};

it.each([[[]], [[webhook]]])('prints the secret of all webhooks, or of one: %j', async (args) => {
  const { run } = await startSigning(100, 25);
  expect(await run(['notifications', 'secret', ...args])).toEqual({
    code: 0,
    stdout: `target  ${webhook}\nurl     ${shownUrl}\nsecret  whsec_${second}\n`,
    stderr: '',
  });
});

it('prints the former secret, too, while it signs', async () => {
  const { run, untilOf } = await startSigning(100, 23);
  expect((await run(['notifications', 'secret'])).stdout).toContain(
    `secret  whsec_${second}\nformer  whsec_${first}\n        still signs until ${untilOf(1)}\n`,
  );
  expect(JSON.parse((await run(['notifications', 'secret', '--json'])).stdout)).toMatchObject([
    { previous: `whsec_${first}`, previousSignsUntil: untilOf(1) },
  ]);
});

it('names the webhooks, and says if there is none or its secret is missing', async () => {
  const choose = (name: string) => `There is no webhook "${name}": choose from ${webhook}.`;
  const signing = await startSigning(100);
  expect(await errorOf(signing, 'rotate', 'Webhook00000000')).toBe(choose('Webhook00000000'));
  expect(await errorOf(signing, 'secret', 'Email1a2b3c4d')).toBe(choose('Email1a2b3c4d'));
  expect(await errorOf(await startDeployed(['Email1a2b3c4d']), 'secret')).toBe(
    '"dev" has no webhook. Only webhooks have a signing secret.',
  );
  expect(await errorOf(await startSigning(), 'secret')).toBe(
    `The secret of ${webhook} is missing: deploy the environment again.`,
  );
});

it('makes one new secret, even if a response is lost, and says how long both sign', async () => {
  const { run, secrets, responses } = await startSigning(100, 25);
  const { 'secretsmanager:PutSecretValue': put = () => undefined } = responses;
  let calls = 0;
  responses['secretsmanager:PutSecretValue'] = (given) => {
    calls += 1;
    const response = put(given);
    return calls === 1 ? 'hang up' : response;
  };
  const { code, stdout, stderr } = await run(['notifications', 'rotate', webhook]);
  expect({ code, calls }).toEqual({ code: 0, calls: 2 });
  // Base64 without padding, of letters and digits alone.
  expect(stdout).toMatch(/^whsec_[A-Za-z0-9]{44}\n$/);
  expect(secrets().map((secret) => `whsec_${secret}\n`)).toEqual([`whsec_${first}\n`, `whsec_${second}\n`, stdout]);
  expect(stderr).toMatch(
    /\nGive this secret to the receiver of Webhook5e6f7a8b\. The new secret signs within five minutes, the former one until 20\S+Z\.\n$/,
  );
});

it('refuses to rotate within a day of the last rotation', async () => {
  const signing = await startSigning(100, 23);
  expect(await errorOf(signing, 'rotate', webhook)).toBe(
    `${webhook} was rotated less than a day ago, and its receiver may still use the former secret: wait until ${signing.untilOf(1)}.`,
  );
  expect(signing.secrets()).toHaveLength(2);
});
