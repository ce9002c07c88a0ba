import { App, Stack } from 'aws-cdk-lib';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { createApp } from '../../lib/infrastructure/app.ts';
import { ContactService } from '../../lib/infrastructure/contact-service.ts';
import { parseEnvironment } from '../../lib/infrastructure/settings.ts';
import { bare, briefly, fakeBundles, full, temporaryFolder } from './synthesize.ts';

const bundles = fakeBundles();

const known = { ...full, notifications: { ...full.notifications, existingIdentities: true } };

const templatesWith = (flags: Readonly<Record<string, unknown>>) =>
  createApp({ bare, full, known }, bundles, { outdir: temporaryFolder(), ...briefly, postCliContext: flags })
    .synth()
    .stacks.map(({ template }) => template);

// These change how a template is written, and nothing in AWS.
const ofTheStack = { '@aws-cdk/core:enablePartitionLiterals': true, '@aws-cdk/aws-iam:minimizePolicies': true };

test('the construct does not depend on the feature flags of the app around it', () => {
  const recommended = templatesWith(featureFlags);
  expect(templatesWith(ofTheStack)).toEqual(recommended);
  const off = Object.fromEntries(Object.keys(featureFlags).map((flag) => [flag, false]));
  const targets = { '@aws-cdk/core:target-partitions': ['aws', 'aws-cn'] };
  expect(templatesWith({ ...off, ...targets, ...ofTheStack })).toEqual(recommended);
});

const place = (app: App, stack: string, env = {}) => new Stack(app, stack, { env });

const add = (stack: Stack, id = 'Contact', name = 'prod') =>
  new ContactService(stack, id, { environment: parseEnvironment(name, bare), bundles });

test('refuses two services of one name in one account and region: their metrics would mix', () => {
  const app = new App();
  add(place(app, 'One'));
  expect(() => add(place(app, 'Two'))).toThrow(
    '"One/Contact" and "Two/Contact" are both named "prod", so their metrics would mix: give each a name of its own or, in its stack\'s env, another account or region.',
  );
  const env = { account: '111111111111', region: 'eu-central-1' };
  add(place(app, 'Three', env));
  expect(() => add(place(app, 'Four', env))).toThrow('are both named "prod"');
});

test('accepts services with another name, account or region', () => {
  const app = new App({ outdir: temporaryFolder(), ...briefly, builtinCloudFormationValidation: false });
  const env = { account: '111111111111', region: 'eu-central-1' };
  add(place(app, 'One', env));
  add(place(app, 'Two', { ...env, region: 'us-east-1' }));
  add(place(app, 'Three', { ...env, account: '222222222222' }));
  add(place(app, 'Four', env), 'Contact', 'staging');
  expect(app.synth().stacks).toHaveLength(4);
});
