import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { createApp } from '../../lib/infrastructure/app.ts';
import { ContactService } from '../../lib/infrastructure/contact-service.ts';
import { ContactService as OwnContactService } from '../../lib/infrastructure/own-app.ts';
import { type EnvironmentInput, parseEnvironment, stackName } from '../../lib/infrastructure/settings.ts';
import { SettingsError } from '../../lib/shared/settings-error.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { assemblyOf, bare, fakeBundles, full } from './synthesize.ts';

test('the construct does not depend on the feature flags of the app around it', () => {
  // These two change how a template is written, and nothing in AWS.
  const written = { '@aws-cdk/core:enablePartitionLiterals': true, '@aws-cdk/aws-iam:minimizePolicies': true };
  const targets = { '@aws-cdk/core:target-partitions': ['aws', 'aws-cn'] };
  const templateWith = (flags: Readonly<Record<string, unknown>>): unknown =>
    assemblyOf({ full }, { postCliContext: flags }).getStackByName(stackName('full')).template;
  const off = Object.fromEntries(Object.keys(featureFlags).map((flag) => [flag, false]));
  expect(templateWith({ ...off, ...targets, ...written })).toEqual(templateWith(featureFlags));
});

const bundles = fakeBundles();
const app = new App({ outdir: temporaryFolder() });
const germany = { account: '111111111111', region: 'eu-central-1' };

const add = (stack: string, env = {}, name = 'prod') =>
  new ContactService(new Stack(app, stack, { env }), 'Contact', { environment: parseEnvironment(name, bare), bundles });

test('refuses two services of one name in one account and region: their metrics would mix', () => {
  add('One', germany);
  expect(() => add('Two', germany)).toThrow(
    '"One/Contact" and "Two/Contact" are both named "prod", so their metrics would mix. Give one of them another name, or give its stack another account or region (env).',
  );
  add('Name', germany, 'staging');
  add('Region', { ...germany, region: 'us-east-1' });
  add('Account', { ...germany, account: '222222222222' });
});

test('an own app gets a line for an error in the settings', () => {
  const props = Object.assign({ ...bare, name: 'prod' }, { retainData: 'yes' });
  expect(() => new OwnContactService(new Stack(app, 'Own'), 'Contact', props)).toThrow(
    new SettingsError('Environment "prod": retainData: must be true or false'),
  );
});

/** The line about the concurrent executions of a new account, up to its advice. */
const warningsOf = (input: EnvironmentInput): unknown[] => {
  const { node } = createApp({ x: input }, bundles, { outdir: temporaryFolder() });
  const stack = v.parse(v.instance(Stack), node.findChild(stackName('x')));
  const asks = Match.stringLikeRegexp('request-service-quota-increase');
  return Annotations.fromStack(stack)
    .findWarning('*', asks)
    .map(({ entry }) => String(entry.data).split('. A new account has 10, ')[0]);
};

const webhooks = (count: number): EnvironmentInput['notifications'] => ({
  webhooks: Array.from({ length: count }, (_, at) => ({ url: `https://hooks.example.com/${at}` })),
});
const slow = "for the form while the captcha's provider does not respond (throttles.public.rate × 2 seconds)";

test.each<[settings: string, input: Partial<EnvironmentInput>, warnings: string[]]>([
  ['two targets', { notifications: webhooks(2) }, []],
  [
    'three targets',
    { notifications: webhooks(3) },
    ['This environment can take 7 concurrent executions of Lambda: 7 for notifications'],
  ],
  [
    'a captcha at 20 requests a second',
    { spam: { captcha: full.spam.captcha } },
    [`This environment can take 40 concurrent executions of Lambda: 40 ${slow}`],
  ],
  [
    'a captcha at 1 request a second, with a target',
    {
      spam: { captcha: full.spam.captcha },
      notifications: webhooks(1),
      throttles: { ...bare.throttles, public: { rate: 1, burst: 1 } },
    },
    [],
  ],
  [
    'a captcha and a target',
    { spam: { captcha: full.spam.captcha }, notifications: webhooks(1) },
    [`This environment can take 43 concurrent executions of Lambda: 3 for notifications, 40 ${slow}`],
  ],
])('the warning about the concurrent executions of a new account, with %s', (_, input, warnings) => {
  expect(warningsOf({ ...bare, ...input })).toEqual(warnings);
});
