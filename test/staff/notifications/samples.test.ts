import { expect, it, vi } from 'vitest';
import { failure, startNotifying, type TargetName } from './service.ts';

const all: readonly TargetName[] = ['Email1a2b3c4d', 'Slack9c0d1e2f', 'Webhook5e6f7a8b'];

const delivered = { body: { delivered: true, milliseconds: 41.7 } };

/** What becomes of the sample to each target; the others get theirs. */
const startSampling = async (answers: Readonly<Record<string, ReturnType<typeof failure>>> = {}) => {
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
  const service = await startNotifying(all);
  service.answers['Invoke notify'] = ({ sample }) => answers[String(sample)] ?? delivered;
  return service;
};

it('sends a sample to every target and shows the results', async () => {
  const { run, asked } = await startSampling();
  expect(await run(['test'])).toEqual({
    code: 0,
    stdout: [
      'TARGET           TO                                       RESULT     MS\n',
      'Email1a2b3c4d    office@example.com                       delivered  42\n',
      'Slack9c0d1e2f    secret slack-url                         delivered  42\n',
      'Webhook5e6f7a8b  https://crm.example.com/hooks/contact/…  delivered  42\n',
    ].join(''),
    stderr: '',
  });
  expect(asked).toHaveLength(all.length);
});

it('prints the results as JSON', async () => {
  const reason = { delivered: false, reason: 'HTTP 404', milliseconds: 9 };
  const { run } = await startSampling({ Webhook5e6f7a8b: { body: reason } });
  const { code, stdout, stderr } = await run(['test', '--json']);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: '1 of 3 targets did not get the sample: see docs/runbook.md#notification-retries.\n',
  });
  expect(JSON.parse(stdout)).toEqual([
    { target: 'Email1a2b3c4d', to: 'office@example.com', delivered: true, milliseconds: 41.7 },
    { target: 'Slack9c0d1e2f', to: 'secret slack-url', delivered: true, milliseconds: 41.7 },
    { target: 'Webhook5e6f7a8b', to: 'https://crm.example.com/hooks/contact/…', ...reason },
  ]);
});

it.each([
  ['what the function says', { body: { delivered: false, reason: 'HTTP 500\u001b', milliseconds: 5 } }, 'HTTP 500   '],
  [
    'the class of a crash',
    {
      headers: { 'x-amz-function-error': 'Unhandled' },
      body: { errorType: 'Sandbox.Timedout', errorMessage: 'of ada@example.com' },
    },
    'the function failed (Sandbox.Timedout)',
  ],
  ['an answer in another form', { body: { statusCode: 200 } }, 'unreadable answer'],
  ['an error of AWS about one target', failure('TooManyRequestsException', 429), 'TooManyRequestsException'],
])('shows why a target did not get the sample: %s', async (_, answer, shown) => {
  const { run } = await startSampling({ Webhook5e6f7a8b: answer });
  const { code, stdout, stderr } = await run(['test']);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^1 of 3 targets did not get/) });
  const lines = stdout.split('\n');
  expect(lines[1]).toMatch(/^Email1a2b3c4d .* delivered /);
  expect(lines[3]).toContain(`…  ${shown}`);
  for (const hidden of ['\u001b', 'ada@']) expect(stdout).not.toContain(hidden);
});

it('is one line when AWS refuses every call', async () => {
  const refused = failure('ExpiredTokenException', 403);
  const { run } = await startSampling(Object.fromEntries(all.map((name) => [name, refused])));
  expect(await run(['test'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'AWS refuses the credentials (ExpiredTokenException): renew them and try again.\n',
  });
});

it('says that contact requests trigger no notifications while those are paused', async () => {
  const { run, outputs } = await startSampling();
  outputs['Settings'] = JSON.stringify({ version: '3.0.0', retainData: true, notificationsPaused: true });
  expect(await run(['test'])).toMatchObject({
    code: 0,
    stderr:
      'Notifications are paused: only samples are sent, and contact requests trigger none (docs/notifications.md).\n',
  });
});
