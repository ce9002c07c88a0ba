import { mkdtempSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { bare, synthesize } from '../infrastructure/synthesize.ts';
import { appEnvironment, makeApp, shellIn } from './own-app.ts';

/** Errors in three settings. */
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

/** A test as `cdk init` suggests it. */
const jestTest = `import * as cdk from 'aws-cdk-lib/core';
import { Template } from 'aws-cdk-lib/assertions';
import { MySiteStack } from '../lib/my-site-stack';

test('three tables', () => {
  const stack = new MySiteStack(new cdk.App(), 'Test');
  Template.fromStack(stack).resourceCountIs('AWS::DynamoDB::GlobalTable', 3);
});
`;

/** The app of older templates of `cdk init`. */
const olderApp = {
  'package.json': '{}',
  'tsconfig.json': JSON.stringify({
    compilerOptions: { target: 'ES2020', module: 'commonjs', lib: ['es2020', 'dom'], strict: true, types: ['node'] },
  }),
  'my-site.ts': `import * as cdk from 'aws-cdk-lib';
import { MySiteStack } from './my-site-stack';

new MySiteStack(new cdk.App(), 'MySiteStack');
`,
};

/** How many resources of each type a template has. */
const countTypes = (template: unknown) => {
  const types = Object.values(v.parse(withResources, template).Resources).map(({ Type }) => Type);
  return Object.fromEntries(
    [...Map.groupBy(types.toSorted(), (type) => type)].map(([type, all]) => [type, all.length]),
  );
};

/** A command that failed. */
const failure = v.object({ code: v.number(), stdout: v.string(), stderr: v.string() });

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable('It should have failed.'),
    (error: unknown) => v.parse(failure, error),
  );

const folder = mkdtempSync(join(tmpdir(), 'own-app-'));
afterAll(() => rm(folder, { recursive: true }));

beforeAll(() => makeApp(folder, inject('archive')));

const readTypes = async (outDir: string) => {
  const text = await readFile(join(outDir, 'MySiteStack.template.json'), 'utf8');
  const { 'AWS::CDK::Metadata': _, ...types } = countTypes(JSON.parse(text));
  return types;
};

const ofThisProject = () =>
  countTypes(synthesize({ prod: { sites: bare.sites, alarmEmails: ['operations@example.com'] } })('prod').toJSON());

describe('an app, made as docs/deploy.md says', () => {
  const app = join(folder, 'my-site');
  const shell = shellIn(app, appEnvironment);

  test('synthesizes the same resources as this project', async () => {
    expect(await readTypes(join(app, 'cdk.out'))).toEqual(ofThisProject());
  });

  test('has the staff command', async () => {
    expect(await shell('npx --no-install crcs --version')).toBe(`${packageJson.version}\n`);
    expect(await shell('npx --no-install crcs --help')).toMatch(
      /^Usage: npx --no-install crcs \[options\] \[command\]/,
    );
    expect((await failureOf(shell('npx --no-install crcs tokens list'))).stderr).toContain(
      'Name the deployed stack with --stack <name>.',
    );
    expect((await failureOf(shell('npx --no-install crcs tokens list --env prod'))).stderr).toMatch(
      /Unknown environment "prod"/,
    );
  });

  test('contains every required package once, and no bundler', async () => {
    await shell('npm ls --all');
    const text = await readFile(join(app, 'node_modules', packageJson.name, 'package.json'), 'utf8');
    const { dependencies, peerDependencies } = JSON.parse(text);
    expect(Object.keys(peerDependencies)).toEqual(['aws-cdk-lib', 'constructs']);
    expect(Object.keys(dependencies)).toContain('valibot');
    expect(Object.keys(dependencies).filter((name) => /^node-|esbuild|cdk|constructs|dynalite/.test(name))).toEqual([]);
  });

  test("compiles with the package's types, which refuse wrong settings", async () => {
    await shell('npx tsc --skipLibCheck false');
    await writeFile(join(app, 'wrong.ts'), wrong);
    const { stdout } = await failureOf(shell('npx tsc'));
    for (const error of [`'orign'`, 'boolean', `'2'`]) expect(stdout).toContain(error);
  });

  test('has tests with Jest', async () => {
    await writeFile(join(app, 'test', 'three-tables.test.ts'), jestTest);
    await shell('npx jest --ci');
  });

  test('has ES modules', async () => {
    const program = `import { ContactService } from '${packageJson.name}'; console.log(ContactService.name);`;
    expect(await shell(`node --input-type=module --eval "${program}"`)).toBe('ContactService\n');
  });

  test('has TypeScript 5.6 and ts-node, as older templates of the CDK do', async () => {
    // In a folder of the app, it finds the other packages.
    const older = join(app, 'older');
    await mkdir(older);
    for (const [file, text] of Object.entries(olderApp)) await writeFile(join(older, file), text);
    await cp(join(app, 'lib', 'my-site-stack.ts'), join(older, 'my-site-stack.ts'));
    const inOlder = shellIn(older, { ...appEnvironment, CDK_OUTDIR: 'cdk.out' });
    await inOlder('npm install --save-dev typescript@5.6.3 ts-node@10.9.2');
    await inOlder('npx tsc --noEmit --module node16');
    // Checks the types, too: with CommonJS, and modules as Node found them before version 16.
    await inOlder('npx ts-node --prefer-ts-exts my-site.ts');
    expect(await readTypes(join(older, 'cdk.out'))).toEqual(ofThisProject());
  });
});
