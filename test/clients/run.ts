// `npm run test:clients [-- typescript | python | java | go]`: generates clients from openapi.yaml, and uses every endpoint of a
// local service through each.
import { copyFileSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDataDir, removeDataDir, startService } from '../acceptance/local/service.ts';
import { CommandError, projectDir, run, untilStopped } from '../support/command.ts';
import { installPythonPackages } from '../support/install.ts';

const signal = untilStopped(20);
const document = join(projectDir, 'openapi.yaml');

/** oapi-codegen, at one version. Its clients' packages are in go/go.mod. */
const oapiCodegen = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

/**
 * Generates and tests the clients of a language.
 * @param folder has the tests; what is generated goes into its folder `generated`
 * @param env names the service
 */
type TestClients = (folder: string, env: NodeJS.ProcessEnv) => Promise<void>;

/** The generator brings a TypeScript of its own; the project's TypeScript checks what it generates. */
const testTypeScript: TestClients = async (folder, env) => {
  const node = (script: string, ...args: string[]) =>
    run(process.execPath, [script, ...args], { env, signal, shown: true });

  const install = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', install, { env, signal, shown: true });
  const generator = join(folder, 'node_modules/openapi-typescript/bin/cli.js');
  await node(generator, document, '--output', join(folder, 'generated', 'openapi-typescript.ts'));
  await node('node_modules/typescript/bin/tsc', '--project', folder);
  await node('node_modules/vitest/vitest.mjs', 'run', '--root', folder);
};

/** Installs the generators that are packages of Python. @returns the folder of their programs */
const installGenerators = (env: NodeJS.ProcessEnv): Promise<string> =>
  installPythonPackages('clients', join(import.meta.dirname, 'python', 'requirements.txt'), { env, signal });

/** The client of openapi-generator, as its users get it by default. */
const generateByOpenapiGenerator = (
  programs: string,
  language: string,
  output: string,
  env: NodeJS.ProcessEnv,
  ...options: readonly string[]
) => {
  const generate = ['generate', '--input-spec', document, '--generator-name', language, '--output', output];
  return run(join(programs, 'openapi-generator-cli'), [...generate, ...options], { env, signal });
};

const testPython: TestClients = async (folder, env) => {
  const generated = join(folder, 'generated');
  const ofGenerator = join(generated, 'openapi-generator');
  const programs = await installGenerators(env);
  await generateByOpenapiGenerator(programs, 'python', ofGenerator, env);
  const output = join(generated, 'contact_service');
  const generator = ['--meta', 'none', '--config', join(folder, 'generator.yml'), '--fail-on-warning', '--overwrite'];
  const generate = ['generate', '--path', document, '--output-path', output, ...generator];
  await run(join(programs, 'openapi-python-client'), generate, { env, signal, shown: true });
  const tests = ['-m', 'unittest', 'discover', '--verbose', '--start-directory', folder];
  const variables = { ...env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: `${generated}:${ofGenerator}` };
  await run(join(programs, 'python'), tests, { env: variables, signal, shown: true });
};

/** The generated project pins what it needs. */
const testJava: TestClients = async (folder, env) => {
  const project = join(folder, 'generated');
  await generateByOpenapiGenerator(await installGenerators(env), 'java', project, env);
  const tests = join(project, 'src', 'test', 'java');
  mkdirSync(tests, { recursive: true });
  copyFileSync(join(folder, 'ClientTest.java'), join(tests, 'ClientTest.java'));
  const args = ['--batch-mode', '--no-transfer-progress', 'test', '-Dtest=ClientTest'];
  await run('mvn', args, { env, signal, cwd: project, shown: true });
};

const testGo: TestClients = async (folder, env) => {
  const generated = join(folder, 'generated');
  const go = (...args: readonly string[]) => run('go', args, { env, signal, cwd: folder, shown: true });
  const ofGenerator = join(generated, 'openapigenerator');
  const withoutTests = ['--global-property', 'apis,models,supportingFiles,apiTests=false,modelTests=false'];
  const asPackage = ['--package-name', 'openapigenerator', '--additional-properties', 'withGoMod=false'];
  const programs = await installGenerators(env);
  await generateByOpenapiGenerator(programs, 'go', ofGenerator, env, ...withoutTests, ...asPackage);
  const ofCodegen = join(generated, 'oapicodegen');
  mkdirSync(ofCodegen);
  const output = ['-package', 'oapicodegen', '-o', join(ofCodegen, 'client.go')];
  await go('run', oapiCodegen, '-generate', 'types,client', ...output, document);
  await go('vet', './...');
  await go('test', '-count=1', '-v', '.');
};

const languages = new Map([
  ['typescript', testTypeScript],
  ['python', testPython],
  ['java', testJava],
  ['go', testGo],
]);

const [chosen, ...more] = process.argv.slice(2);
const names = chosen === undefined ? [...languages.keys()] : [chosen];
if (names.some((name) => !languages.has(name)) || more.length > 0) {
  console.error(`Name ${[...languages.keys()].join(' or ')}, or nothing for all.`);
  process.exit(1);
}

const dataDir = await makeDataDir();
const service = await startService(dataDir);
try {
  const env = { ...process.env, SERVICE_URL: service.baseUrl, STAFF_TOKEN: service.staffToken };
  for (const name of names) {
    const folder = join(import.meta.dirname, name);
    await rm(join(folder, 'generated'), { recursive: true, force: true });
    await languages.get(name)?.(folder, env);
  }
} catch (error) {
  process.exitCode = 1;
  const isExpected = error instanceof CommandError || error === signal.reason;
  console.error(isExpected && error instanceof Error ? error.message : error);
} finally {
  await service.end('SIGTERM');
  await removeDataDir(dataDir);
}
