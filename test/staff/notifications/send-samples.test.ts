import { expect, it, vi } from 'vitest';
import { startNotifying } from './service.ts';

const all = ['Email1a2b3c4d', 'Webhook5e6f7a8b', 'Webhook9c0d1e2f'] as const;

it('has every target told a sample, and shows what became of each', async () => {
  const { aws, run } = await startNotifying(all);
  for (const name of all) aws.functions.set(`tell-${name}`, { body: { told: true, milliseconds: 41.7 } });
  expect(await run(['test'])).toEqual({
    code: 0,
    stdout: [
      'TARGET           TO                                       RESULT  MS\n',
      'Email1a2b3c4d    office@example.com                       told    42\n',
      'Webhook5e6f7a8b  https://crm.example.com/hooks/contact/…  told    42\n',
      'Webhook9c0d1e2f  https://hooks.slack.com/services/…       told    42\n',
    ].join(''),
    stderr: '',
  });
  expect(aws.asked.filter((operation) => operation.startsWith('Invoke')).toSorted()).toEqual(
    all.map((name) => `Invoke tell-${name} {"sample":true}`),
  );
});

it('says that contact requests are told to nobody while that is paused', async () => {
  const { aws, run } = await startNotifying(['Email1a2b3c4d']);
  aws.outputs['Settings'] = JSON.stringify({ version: '1.0.0', retainData: true, notificationsPaused: true });
  aws.functions.set('tell-Email1a2b3c4d', { body: { told: true, milliseconds: 8 } });
  expect(await run(['test'])).toMatchObject({
    code: 0,
    stderr: 'Notifications are paused: contact requests are told to nobody (docs/notifications.md, "Paused").\n',
  });
});

it('prints for programs what became of each', async () => {
  const { aws, run } = await startNotifying(all);
  for (const name of all) aws.functions.set(`tell-${name}`, { body: { told: true, milliseconds: 8 } });
  aws.functions.set('tell-Webhook9c0d1e2f', { body: { told: false, reason: 'HTTP 404', milliseconds: 9 } });
  const { code, stdout } = await run(['test', '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual([
    { target: 'Email1a2b3c4d', to: 'office@example.com', told: true, milliseconds: 8 },
    { target: 'Webhook5e6f7a8b', to: 'https://crm.example.com/hooks/contact/…', told: true, milliseconds: 8 },
    {
      target: 'Webhook9c0d1e2f',
      to: 'https://hooks.slack.com/services/…',
      told: false,
      reason: 'HTTP 404',
      milliseconds: 9,
    },
  ]);
});

it.each([
  ['Email1a2b3c4d', 'SES MessageRejected', /confirmed.*sandbox.*docs\/first-deployment\.md/],
  ['Email1a2b3c4d', 'SES AccountSuspendedException', /SES console/],
  ['Email1a2b3c4d', 'SES TooManyRequestsException', /try again later/],
  ['Email1a2b3c4d', 'SES AccessDeniedException', /Deploy the environment again/],
  ['Webhook5e6f7a8b', 'secret AccessDeniedException', /Deploy the environment again/],
  ['Webhook5e6f7a8b', 'secret TimeoutError', /try again/],
  ['Webhook5e6f7a8b', 'secret unusable', /notifications rotate/],
  ['Webhook5e6f7a8b', 'HTTP 401', /notifications secret/],
  ['Webhook9c0d1e2f', 'HTTP 403', /still the one that the receiver gives out/],
  ['Webhook5e6f7a8b', 'HTTP 302: redirects are not followed', /redirects to/],
  ['Webhook5e6f7a8b', 'HTTP 410', /still the one that the receiver gives out/],
  ['Webhook5e6f7a8b', 'HTTP 422', /docs\/notifications\.md/],
  ['Webhook5e6f7a8b', 'HTTP 429', /try again later/],
  ['Webhook5e6f7a8b', 'HTTP 503', /its own log/],
  ['Webhook5e6f7a8b', 'no answer within 10 seconds', /works afterwards/],
  ['Webhook5e6f7a8b', 'ECONNREFUSED', /certificate/],
  ['Webhook5e6f7a8b', 'HPE_INVALID_CONSTANT', /certificate/],
  ['Webhook5e6f7a8b', 'CERT_HAS_EXPIRED', /certificate/],
  ['Webhook5e6f7a8b', 'DEPTH_ZERO_SELF_SIGNED_CERT', /certificate/],
  ['Webhook5e6f7a8b', 'ERR_TLS_CERT_ALTNAME_INVALID', /certificate/],
] as const)('says of %s what can be done about %s', async (name, reason, advice) => {
  const { aws, run } = await startNotifying([name]);
  aws.functions.set(`tell-${name}`, { body: { told: false, reason, milliseconds: 5 } });
  const { code, stdout, stderr } = await run(['test']);
  expect(code).toBe(1);
  expect(stdout.split('\n')[1]).toMatch(new RegExp(`^${name} .* ${reason} +5$`));
  const [first = '', ...more] = stderr.split('\n');
  expect(first).toMatch(new RegExp(`^${name}, ${reason}: `));
  expect(first).toMatch(advice);
  expect(more).toEqual(['1 of 1 target was not told.', '']);
});

it('shows why a function could not be asked, and what the others said', async () => {
  const { aws, run } = await startNotifying(all);
  aws.functions.set('tell-Email1a2b3c4d', { body: { told: true, milliseconds: 12 } });
  aws.functions.set('tell-Webhook5e6f7a8b', {
    headers: { 'x-amz-function-error': 'Unhandled' },
    body: { errorType: 'Sandbox.Timedout', errorMessage: 'of ada@example.com' },
  });
  aws.functions.set('tell-Webhook9c0d1e2f', { status: 403, body: { __type: 'AccessDeniedException', message: 'No.' } });
  const { code, stdout, stderr } = await run(['test']);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Email1a2b3c4d .* told +12$/m);
  expect(stdout).toMatch(/^Webhook5e6f7a8b .* the function failed \(Sandbox\.Timedout\)$/m);
  expect(stdout).toMatch(/^Webhook9c0d1e2f .* AccessDeniedException$/m);
  expect(stderr).toBe(
    [
      'Webhook5e6f7a8b, the function failed (Sandbox.Timedout): Its log group in CloudWatch says why (docs/runbook.md).\n',
      'Webhook9c0d1e2f, AccessDeniedException: These AWS credentials may not invoke the function: they need lambda:InvokeFunction.\n',
      '2 of 3 targets were not told.\n',
    ].join(''),
  );
  expect(stdout + stderr).not.toContain('ada@');
});

it('shows what a function answers as text, whatever it is to a terminal', async () => {
  const { aws, run } = await startNotifying(['Webhook5e6f7a8b']);
  aws.functions.set('tell-Webhook5e6f7a8b', {
    body: { told: false, reason: 'HTTP 500\u001b]0;title\u0007\u202e', milliseconds: 5 },
  });
  const { stdout, stderr } = await run(['test']);
  expect(stdout).toContain(' HTTP 500 ]0;title ');
  expect(stderr).toContain('Webhook5e6f7a8b, HTTP 500 ]0;title  : ');
});

it('says that a function is missing, or of another version', async () => {
  const { aws, run } = await startNotifying(['Email1a2b3c4d', 'Webhook5e6f7a8b']);
  aws.functions.set('tell-Webhook5e6f7a8b', { body: { statusCode: 200 } });
  const { stdout, stderr } = await run(['test']);
  expect(stdout).toMatch(/^Webhook5e6f7a8b .* the function is of another version: deploy it again$/m);
  expect(stderr).toContain('Email1a2b3c4d, ResourceNotFoundException: Its function is missing');
});

it('shows of what AWS would not do for the one what it did for the others', async () => {
  const { aws, run } = await startNotifying(['Email1a2b3c4d', 'Webhook5e6f7a8b']);
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
  aws.functions.set('tell-Email1a2b3c4d', { body: { told: true, milliseconds: 12 } });
  aws.functions.set('tell-Webhook5e6f7a8b', { status: 429, body: { __type: 'TooManyRequestsException' } });
  const { code, stdout } = await run(['test']);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Email1a2b3c4d .* told +12\nWebhook5e6f7a8b .* TooManyRequestsException$/m);
});

it('is one line when AWS cannot be asked at all', async () => {
  const { aws, run } = await startNotifying(all);
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
  for (const name of all) {
    aws.functions.set(`tell-${name}`, { status: 403, body: { __type: 'ExpiredTokenException', message: 'Expired.' } });
  }
  expect(await run(['test'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'AWS refuses the credentials (ExpiredTokenException): renew them and try again.\n',
  });
});

it.each([['test'], ['redrive'], ['secret'], ['rotate', 'Webhook5e6f7a8b']])(
  'says what to set where nobody is told: %s',
  async (...args) => {
    const { run } = await startNotifying([]);
    expect(await run(args)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        '"dev" tells nobody of contact requests: set its notifications (docs/settings.md) and run "npx cdk deploy ContactService-dev".\n',
    });
  },
);

it('says that a stack of another version has named the targets', async () => {
  const { aws, run } = await startNotifying(['Webhook5e6f7a8b']);
  aws.outputs['NotifyWebhook5e6f7a8b'] = '{"kind":"pigeon"}';
  expect(await run(['test'])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'The notifications of this environment are of another version: deploy it again, or start the local service anew.\n',
  });
});
