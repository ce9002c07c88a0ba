import { App, Stack } from 'aws-cdk-lib';
import featureFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { ContactService } from '../../lib/infrastructure/contact-service.ts';
import { ContactService as OwnContactService } from '../../lib/infrastructure/own-app.ts';
import { parseEnvironment, stackName } from '../../lib/infrastructure/settings.ts';
import { SettingsError } from '../../lib/settings-error.ts';
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
