import { mkdtempSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { bare, full, synthesize } from '../infrastructure/synthesize.ts';
import { appEnvironment, languages, makeApp, shellIn } from './own-app.ts';

/** A mistake in each setting. */
const wrong = `import type { ContactServiceProps } from 'contact-request-and-campaign-service';
export const settings: ContactServiceProps = {
  name: 'prod',
  sites: [{ orign: 'https://www.example.com' }],
  throttles: { public: { rate: 20, burst: 100 }, staff: { rate: 20, burst: 100 } },
  retainData: 'yes',
  logRetentionDays: 2,
};
`;

const withResources = v.object({ Resources: v.record(v.string(), v.object({ Type: v.string() })) });

/** How many resources of each type a template has. */
const countTypes = (template: unknown) => {
  const types = Object.values(v.parse(withResources, template).Resources).map(({ Type }) => Type);
  return Object.fromEntries(
    [...Map.groupBy(types.toSorted(), (type) => type)].map(([type, all]) => [type, all.length]),
  );
};

const quoted = (value: unknown) => `'${JSON.stringify(value)}'`;

/** What a command prints that ends with a mistake. */
const failure = v.object({ code: v.number(), stdout: v.string(), stderr: v.string() });

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('It should have failed.'),
    (error: unknown) => v.parse(failure, error),
  );

const folder = mkdtempSync(join(tmpdir(), 'own-app-'));
afterAll(() => rm(folder, { recursive: true }));

/** Each is made by npm for the most part, which waits more than it computes. */
beforeAll(() => Promise.all(languages.map((language) => makeApp(language, join(folder, language), inject('archive')))));

describe.each(languages)('an app of %s, made as docs/deploy.md says', (language) => {
  const app = join(folder, language, 'my-site');
  const shell = shellIn(app, appEnvironment);

  test('synthesizes what the app of this project does', async () => {
    const text = await readFile(join(app, 'cdk.out', 'MySiteStack.template.json'), 'utf8');
    const { 'AWS::CDK::Metadata': _, ...types } = countTypes(JSON.parse(text));
    const settings = { sites: bare.sites, alarmEmails: ['operations@example.com'] };
    expect(types).toEqual(countTypes(synthesize({ prod: settings })('prod').toJSON()));
  });

  test('has the staff command', async () => {
    expect(await shell('npx crcs --version')).toBe(`${packageJson.version}\n`);
    expect(await shell('npx crcs --help')).toMatch(/^Usage: npx crcs \[options\] \[command\]/);
    expect((await failureOf(shell('npx crcs tokens list'))).stderr).toContain(
      'Name the stack of the service: "--stack <name>"',
    );
    expect((await failureOf(shell('npx crcs tokens list --env prod'))).stderr).toMatch(/Unknown environment "prod"/);
  });

  test('has every package that is needed, each once, and none that bundles', async () => {
    await shell('npm ls --all');
    const text = await readFile(join(app, 'node_modules', packageJson.name, 'package.json'), 'utf8');
    const { dependencies, peerDependencies } = JSON.parse(text);
    expect(Object.keys(peerDependencies)).toEqual(['aws-cdk-lib', 'constructs']);
    expect(Object.keys(dependencies)).toContain('valibot');
    expect(Object.keys(dependencies).filter((name) => /^node-|esbuild|cdk|constructs|dynalite/.test(name))).toEqual([]);
  });

  test.runIf(language === 'TypeScript')(
    "passes its own compiler, the package's types included, which names a setting that is wrong",
    async () => {
      await shell('npx tsc --skipLibCheck false');
      await writeFile(join(app, 'wrong.ts'), wrong);
      const { stdout } = await failureOf(shell('npx tsc'));
      for (const fault of [`'orign'`, 'boolean', `'2'`]) expect(stdout).toContain(fault);
    },
  );
});

describe('what an app is told', () => {
  const app = join(folder, 'JavaScript', 'my-site');
  const shell = shellIn(app, appEnvironment);
  const { account, region, ...settings } = full;
  const check = (props: object, place: object) => shell(`node checked.cjs ${quoted(props)} ${quoted(place)}`);

  beforeAll(async () => {
    await cp(join(import.meta.dirname, 'checked.cjs'), join(app, 'checked.cjs'));
    await shell(`npm install --save-dev cdk-nag@${packageJson.devDependencies['cdk-nag']}`);
  });

  test.each([
    ['every setting', 'in any account and region', { ...settings, name: 'full' }, {}],
    ['every setting', 'in one account and region', { ...settings, name: 'full' }, { account, region }],
    ['the fewest', 'in any account and region', { ...bare, name: 'bare' }, {}],
  ])('with %s, %s, and without any feature flag, cdk-nag has no finding', async (_, __, props, place) => {
    await check(props, place);
  });

  test('a line names each setting that is wrong', async () => {
    const mistakes = { ...bare, name: 'prod', sites: [{ orign: 'https://a.test' }], retainData: 'yes' };
    const { stderr } = await failureOf(check(mistakes, {}));
    for (const line of ['sites.0.orign: unknown setting', 'retainData: must be true or false'])
      expect(stderr).toContain(`Environment "prod": ${line}\n`);
  });

  test('account, region and tags are those of the stack', async () => {
    const given = await failureOf(check({ ...bare, name: 'prod', account, region, tags: {} }, {}));
    for (const [setting, prop] of [
      ['account', 'env'],
      ['region', 'env'],
      ['tags', 'tags'],
    ])
      expect(given.stderr).toContain(`Environment "prod": ${setting}: set the stack's ${prop} instead\n`);
    const elsewhere = await failureOf(check({ ...settings, name: 'full' }, { account, region: 'us-east-1' }));
    expect(elsewhere.stderr).toContain('domains: a certificate is in another region than the environment');
  });
});
