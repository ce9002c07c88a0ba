// `npm run test:clients [-- typescript | python]`: generates clients from openapi.yaml, and uses every endpoint of a local
// service through each.
import { join } from 'node:path';
import { makeDataDir, removeDataDir, startService } from '../acceptance/local/service.ts';
import { CommandError, projectDir, run, untilStopped } from '../support/command.ts';
import { installPythonPackages } from '../support/install.ts';

const signal = untilStopped(10);
const document = join(projectDir, 'openapi.yaml');

/** Generates and tests the clients of a language. @param env names the service */
type TestClients = (env: NodeJS.ProcessEnv) => Promise<void>;

/** The generator brings a TypeScript of its own; the project's TypeScript checks what it generates. */
const testTypeScript: TestClients = async (env) => {
  const folder = join(import.meta.dirname, 'typescript');
  const node = (script: string, ...args: string[]) =>
    run(process.execPath, [script, ...args], { env, signal, shown: true });

  const install = ['ci', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', install, { env, signal, shown: true });
  const generator = join(folder, 'node_modules/openapi-typescript/bin/cli.js');
  await node(generator, document, '--output', join(folder, 'generated', 'openapi-typescript.ts'));
  await node('node_modules/typescript/bin/tsc', '--project', folder);
  await node('node_modules/vitest/vitest.mjs', 'run', '--root', folder);
};

const testPython: TestClients = async (env) => {
  const folder = join(import.meta.dirname, 'python');
  const options = { env: { ...env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: join(folder, 'generated') }, signal };
  const programs = await installPythonPackages('clients', join(folder, 'requirements.txt'), options);
  const output = join(folder, 'generated', 'contact_service');
  const generator = ['--meta', 'none', '--config', join(folder, 'generator.yml'), '--fail-on-warning', '--overwrite'];
  const generate = ['generate', '--path', document, '--output-path', output, ...generator];
  await run(join(programs, 'openapi-python-client'), generate, { ...options, shown: true });
  const tests = ['-m', 'unittest', 'discover', '--verbose', '--start-directory', folder];
  await run(join(programs, 'python'), tests, { ...options, shown: true });
};

const languages = new Map([
  ['typescript', testTypeScript],
  ['python', testPython],
]);

const [chosen = [...languages.keys()], ...more] = process.argv.slice(2);
const tests = [chosen].flat().map((name) => languages.get(name));
if (tests.includes(undefined) || more.length > 0) {
  console.error(`Name ${[...languages.keys()].join(' or ')}, or nothing for both.`);
  process.exit(1);
}

const dataDir = await makeDataDir();
const service = await startService(dataDir);
try {
  const env = { ...process.env, SERVICE_URL: service.baseUrl, STAFF_TOKEN: service.staffToken };
  for (const test of tests) await test?.(env);
} catch (error) {
  process.exitCode = 1;
  const isExpected = error instanceof CommandError || error === signal.reason;
  console.error(isExpected && error instanceof Error ? error.message : error);
} finally {
  await service.end('SIGTERM');
  await removeDataDir(dataDir);
}
