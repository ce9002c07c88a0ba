import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { vi } from 'vitest';
import { createApp, type ServiceAppProps } from '../../lib/infrastructure/app.ts';
import { handlerNames } from '../../lib/infrastructure/endpoints.ts';
import { type EnvironmentInput, stackName } from '../../lib/infrastructure/settings.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Bundles without the functions' code, which no template holds. */
export const fakeBundles = (): string => {
  const folder = temporaryFolder();
  for (const name of handlerNames) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, 'index.mjs'), `export const handler = '${name}';`);
  }
  return folder;
};

/** Few settings, and nothing that is optional in a stack. */
export const bare = {
  sites: [{ origin: 'https://www.example.com' }],
  throttles: { public: { rate: 20, burst: 100 }, staff: { rate: 10, burst: 50 } },
  retainData: false,
  logRetentionDays: 30,
} satisfies EnvironmentInput;

/** The custom domain of `full`. */
export const domainOfFull = {
  name: 'contact.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/6a1e2c5e-0000-4000-8000-000000000000',
  hostedZone: { id: 'Z0123456789ABC', name: 'example.com' },
};

/** Every setting that suits a new stack. The type makes sure that a new setting is here. */
export const full = {
  ...bare,
  account: '123456789012',
  region: 'eu-central-1',
  sites: [
    { origin: 'https://www.example.com', thankYouUrl: 'https://www.example.com/thank-you' },
    { origin: 'https://shop.example.com', language: 'de' },
  ],
  inboxOrigins: ['https://inbox.example.com', 'https://replies.example.com'],
  triage: true,
  spam: {
    traps: ['fax', 'website'],
    requireTrap: true,
    proofOfWork: 'mark',
    proofBits: 20,
    senders: ['@example.net', 'bad@example.org'],
    links: 3,
    words: ['casino', 'make money'],
    captcha: { provider: 'turnstile', secret: 'captcha-key' },
  },
  extraFields: 'ignore',
  required: ['message'],
  fields: { message: 'reqtext' },
  forms: {
    sales: {
      required: ['email|phone', 'topic'],
      thankYouUrl: 'https://www.example.com/sold',
      retentionDays: 3_650,
      subject: 'An order',
      confirmation: { subject: 'Your order at {site}', text: { en: 'Thank you.', de: 'Danke. {reference}' } },
      files: { max: 3, types: ['pdf', 'jpeg'] },
    },
    support: { confirmation: false },
  },
  confirmation: { text: 'We will write soon. {time}' },
  confirmationsPerHour: 10,
  files: { dailyMegabytes: 500, scan: true },
  webAcl: true,
  retainData: true,
  retentionDays: 365,
  alarmEmails: ['operations@example.com'],
  runbookUrl: 'https://wiki.example.com/runbook',
  contactsAlarm: 2_000,
  // The longest that the setting allows.
  silenceAlarm: 168,
  tracing: true,
  notifications: {
    from: 'Contact form <contact@example.com>',
    replyTo: 'office@example.com',
    emails: [
      {
        to: 'sales@example.com',
        forms: ['sales'],
        sites: ['https://shop.example.com'],
        where: { company: ['ACME', 'Acme Ltd'] },
      },
    ],
    webhooks: [
      { url: 'https://hooks.example.com/contact' },
      { format: 'slack', secret: 'slack-url', forms: ['support'], otherwise: true },
    ],
  },
  domains: [domainOfFull],
  defaultEndpoint: true,
  tags: { CostCenter: '4711' },
} satisfies Required<Omit<EnvironmentInput, 'existingTables' | 'instance'>>;

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** The beginning of the ids of each target's resources in `full`: its mail, its webhook, its channel of Slack. */
export const targetsOfFull = [
  `NotificationsEmail${digest('sales@example.com')}`,
  `NotificationsWebhook${digest('https://hooks.example.com/contact')}`,
  `NotificationsSlack${digest('slack-url')}`,
] as const;

/** Without stack traces and the tree of constructs: these take a fifth of a synthesis. */
export const briefly = { stackTraces: false, treeMetadata: false } satisfies AppProps;

/** The folder of `fakeBundles`, made once. */
let bundles: string | undefined;

/** Synthesizes environments without the checks. */
export const assemblyOf = (environments: Readonly<Record<string, EnvironmentInput>>, props: ServiceAppProps = {}) => {
  bundles ??= fakeBundles();
  // The CDK prints its warnings.
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  try {
    return createApp(environments, bundles, { outdir: temporaryFolder(), ...briefly, ...props }).synth();
  } finally {
    printed.mockRestore();
  }
};

const synthesized = new Map<string, CloudFormationStackArtifact>();

/** The stacks of environments by name. The files of a worker share them: each environment is synthesized once. */
export const stacksOf = (environments: Readonly<Record<string, EnvironmentInput>>) => {
  const keyOf = (name: string) => JSON.stringify([name, environments[name]]);
  const missing = Object.entries(environments).filter(([name]) => !synthesized.has(keyOf(name)));
  if (missing.length > 0) {
    const assembly = assemblyOf(Object.fromEntries(missing));
    for (const [name] of missing) synthesized.set(keyOf(name), assembly.getStackByName(stackName(name)));
  }
  return (name: string): CloudFormationStackArtifact => {
    const stack = synthesized.get(keyOf(name));
    if (!stack) throw new Error(`There is no environment ${name}.`);
    return stack;
  };
};

/** The templates of environments by name. */
export const synthesize = (environments: Readonly<Record<string, EnvironmentInput>>) => {
  const stackOf = stacksOf(environments);
  return (name: string): Template => Template.fromJSON(stackOf(name).template);
};

/** A logical id without the hash at its end. */
const withoutHash = (logicalId: string) => logicalId.replace(/[0-9A-F]{8}$/, '');

/** A string of a template. Its references become the ids that they name. */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOf).join('');
  const [reference] = Object.entries<unknown>(Object(value));
  const [name, argument] = reference ?? ['', undefined];
  const [first, ...others] = Array.isArray(argument) ? argument.map(textOf) : [textOf(argument ?? '')];
  if (name === 'Fn::Join' && first === '') return others.join('');
  if (name === 'Ref' || name === 'Fn::GetAtt') return [withoutHash(first ?? ''), ...others].join('.');
  throw new Error(`This is no text: ${JSON.stringify(value)}`);
};

export type Resources = ReturnType<Template['findResources']>;

/** The resources of a type, by logical id without the hash at its end. */
export const resourcesOf = (template: Template, type: string): Resources =>
  Object.fromEntries(Object.entries(template.findResources(type)).map(([id, resource]) => [withoutHash(id), resource]));

/** The properties of the one resource of a type. */
export const propertiesOfOnly = (template: Template, type: string): Resources[string] => {
  const [resource, ...others] = Object.values(template.findResources(type));
  if (!resource || others.length > 0) throw new Error(`There is not exactly one ${type}.`);
  return resource['Properties'];
};
