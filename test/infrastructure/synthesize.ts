import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, AppProps } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { inject } from 'vitest';
import { createApp } from '../../lib/infrastructure/app.ts';
import { type Endpoint, endpoints, handlerNames } from '../../lib/infrastructure/endpoints.ts';
import { type EnvironmentInput, stackName } from '../../lib/infrastructure/settings.ts';

const root = inject('scratch');

/** The ids of the functions that answer the endpoints. */
export const endpointIds: readonly string[] = endpoints.map(({ id }) => id);

/** The ids of all functions. */
export const functionIds: readonly string[] = [...endpointIds, 'Authorizer'];

/** A value for each function, made of its endpoint's row. */
export const byEndpoint = <Value>(give: (endpoint: Endpoint) => Value): Record<string, Value> =>
  Object.fromEntries(endpoints.map((endpoint) => [endpoint.id, give(endpoint)]));

/** A new folder. The run deletes it at the end. */
export const temporaryFolder = (): string => mkdtempSync(join(root, 'folder-'));

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

/** Everything that an environment can have. */
export const full = {
  ...bare,
  account: '123456789012',
  region: 'eu-central-1',
  sites: [
    { origin: 'https://www.example.com', thankYouUrl: 'https://www.example.com/thank-you' },
    { origin: 'https://shop.example.com', language: 'de' },
  ],
  spam: { traps: ['fax', 'website'] },
  extraFields: 'ignore',
  webAcl: true,
  retainData: true,
  retentionDays: 365,
  alarmEmails: ['operations@example.com'],
  contactsAlarm: 2_000,
  silenceAlarm: 24,
  tracing: true,
  notifications: {
    from: 'contact@example.com',
    emails: ['sales@example.com'],
    webhooks: [{ url: 'https://hooks.example.com/contact' }, { format: 'slack', secret: 'slack-url' }],
  },
  domains: [domainOfFull],
} satisfies EnvironmentInput;

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** The beginning of the ids of each target's resources in `full`: its mail, its webhook, its channel of Slack. */
export const targetsOfFull = [
  `NotificationsEmail${digest('sales@example.com')}`,
  `NotificationsWebhook${digest('https://hooks.example.com/contact')}`,
  `NotificationsSlack${digest('slack-url')}`,
] as const;

/** The templates of an app, by the environment's name. */
export const templatesOf = (app: App): ((environment: string) => Template) => {
  const assembly = app.synth();
  return (environment) => Template.fromJSON(assembly.getStackByName(stackName(environment)).template);
};

/** Without stack traces and the tree of constructs: these take a fifth of a synthesis. */
export const briefly = { stackTraces: false, treeMetadata: false } satisfies AppProps;

/** Synthesizes environments, without the checks. */
export const synthesize = (environments: Readonly<Record<string, EnvironmentInput>>, props: AppProps = {}) =>
  templatesOf(createApp(environments, fakeBundles(), { outdir: temporaryFolder(), ...briefly, ...props }));

/** A logical id without the hash at its end. */
const withoutHash = (logicalId: string) => logicalId.replace(/[0-9A-F]{8}$/, '');

const reference = v.union([
  v.string(),
  v.pipe(
    v.object({ Ref: v.string() }),
    v.transform(({ Ref }) => withoutHash(Ref)),
  ),
  v.pipe(
    v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.string()]) }),
    v.transform(({ 'Fn::GetAtt': [id, attribute] }) => `${withoutHash(id)}.${attribute}`),
  ),
  v.pipe(
    v.object({ 'Fn::FindInMap': v.tuple([v.string(), v.object({ Ref: v.string() }), v.string()]) }),
    v.transform(({ 'Fn::FindInMap': [map, { Ref }, key] }) => `${withoutHash(map)}[${Ref}].${key}`),
  ),
]);

const text = v.union([
  reference,
  v.pipe(
    v.object({ 'Fn::Join': v.tuple([v.literal(''), v.array(reference)]) }),
    v.transform(({ 'Fn::Join': [, parts] }) => parts.join('')),
  ),
]);

/** A string of a template. Its references become the ids that they name. */
export const textOf = (value: unknown): string => v.parse(text, value);

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
