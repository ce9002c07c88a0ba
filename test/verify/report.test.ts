import { expect, test } from 'vitest';
import { ownTexts, redact, reportOf } from './report.ts';

/** What must not be in a report: a text with it, and the part that identifies. */
const samples: readonly (readonly [kind: string, text: string, ...secrets: string[]])[] = [
  ['an account', 'Account 123456789012 is closed', '123456789012'],
  ['an account with hyphens', 'account 1234-5678-9012', '1234-5678-9012', '9012'],
  ['an ARN', 'arn:aws:dynamodb:eu-central-1:123456789012:table/ContactService-live-3f9a-Contacts', '123456789012'],
  ['a user', 'User: arn:aws:iam::123456789012:user/jane.doe is not authorized', 'jane', '123456789012'],
  [
    'a person with single sign-on',
    'arn:aws:sts::123456789012:assumed-role/AWSReservedSSO_Admin_0a1b/jane@example.org is not authorized',
    'jane',
    'example.org',
    'Admin',
  ],
  ['a host of API Gateway', 'https://a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com/live-3f9a/api', 'a1b2c3d4e5'],
  ['a host alone', 'getaddrinfo ENOTFOUND a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com', 'a1b2c3d4e5'],
  ['a function URL', 'https://abcdefghijklmnop.lambda-url.eu-central-1.on.aws/signed', 'abcdefghijklmnop'],
  ['a queue', 'https://sqs.eu-central-1.amazonaws.com/123456789012/ContactService-live', '123456789012', 'sqs.eu'],
  ['an API', 'arn:aws:apigateway:eu-central-1::/restapis/a1b2c3d4e5/stages/live', 'a1b2c3d4e5'],
  ['a proxy with a password', 'connect to http://jane:secret@proxy.corp.example:3128 failed', 'jane', 'secret', 'corp'],
  ['a token', 'Authentication: crcs_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde', 'AbCdEf', '-_abcde'],
  ['a webhook secret', 'whsec_AbCdEfGhIjKlMnOpQrStUv+/wxyz0123456789ABCDEF==', 'AbCdEf', '=='],
  ['an access key', 'The key AKIAIOSFODNN7EXAMPLE is wrong', 'IOSFODNN'],
  ['a temporary key', 'ASIAIOSFODNN7EXAMPLE', 'IOSFODNN'],
  ['an address', 'SES has not verified "jane.doe+ses@mail.example.org".', 'jane', 'example.org'],
  ['an address with an umlaut', 'büro@müller.example is unverified', 'müller', 'example'],
  ['an IPv4 address', 'connect ECONNREFUSED 198.51.100.17:443', '198.51.100.17'],
  ['an IPv6 address', 'connect ECONNREFUSED 2001:db8::8a2e:370:7334', '2001', '7334'],
  ['a home folder', 'at /home/jane/contact-service/test/verify.ts:1', 'jane'],
  ['a home folder on a Mac', 'cannot open /Users/jane.doe/x', 'jane'],
  ['a home folder on Windows', 'cannot open C:\\Users\\jane\\x', 'jane'],
  ['what only the run knows', 'The profile acme-admin of Acme-Admin is missing on janes-laptop', 'acme', 'laptop'],
  ['colours around a host', '\u001b[32mhttps://\u001b[1ma1b2c3.example\u001b[0m', 'a1b2c3'],
];

const known = ['acme-admin', 'janes-laptop'];

test.each(samples)('the report does not name %s', (_, text, ...secrets) => {
  const shown = redact(text, known).toLowerCase();
  for (const secret of secrets) expect(shown).not.toContain(secret.toLowerCase());
});

test('the report names nothing secret of the shell, and no proxy', () => {
  const texts = ownTexts({
    AWS_PROFILE: 'default',
    AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/bPxRfiCY',
    AWS_SESSION_TOKEN: 'IQoJb3JpZ2luX2VjEPr//',
    https_proxy: 'http://jane:p@ss@proxy.acme.example:3128',
    AWS_REGION: 'eu-central-1',
  });
  const said =
    'key wJalrXUtnFEMI/bPxRfiCY, token=IQoJb3JpZ2luX2VjEPr//, http://jane:p@ss@proxy.acme.example:3128, ENOTFOUND proxy.acme.example, default, eu-central-1';
  expect(redact(said, texts)).toBe(
    'key <private>, token=<private>, <private>, ENOTFOUND <private>, default, eu-central-1',
  );
});

test.each([
  'cdk deploy: exit code 1, after 12.5 s on 2026-11-28T20:30:48Z with aws-cdk 2.1148.1',
  'api-5xx: AWS/ApiGateway 5XXError with ApiName=contact-service-live-3f9a, Stage=live-3f9a',
  'TLS 1.3: TLSv1.3 with TLS_AES_128_GCM_SHA256',
  'AWS::Lambda::Function FanOut1A2B3C4D, 10000 requests a second, burst 5000',
  'a form: {"route":"POST /api/v1/contact","status":"201","latency":"42","error":"-"}',
])('the report keeps what helps to understand: %s', (text) => expect(redact(text, known)).toBe(text));

test('a run with every sample in its steps, facts and gaps names none of them', () => {
  const texts = samples.map(([, text]) => text);
  const report = reportOf(
    {
      facts: { Plan: texts.join(', ') },
      steps: [
        { name: 'cdk deploy', seconds: 184.2, said: texts },
        { name: 'Acceptance suite', seconds: 61, said: [], error: new Error(texts.join('\n')) },
        { name: 'Drift', seconds: 3, said: [], error: 'A text' },
      ],
      gaps: texts,
    },
    known,
  );
  for (const [, , ...secrets] of samples)
    for (const secret of secrets.filter((each) => each.length > 4)) expect(report).not.toContain(secret);
  expect(report).toContain('2 of 3 steps failed.');
  expect(report).toContain('| cdk deploy | passed | 184 |');
  expect(report).toContain('| Acceptance suite | **failed** | 61 |');
});
