// `npm run test:schemathesis [-- --seed <number> --max-examples <number>]`: Schemathesis makes valid
// and invalid requests from openapi.yaml, and checks each response of a local service. It takes the options of `st run`.
import { join } from 'node:path';
import { makeDataDir, removeDataDir, startService } from '../acceptance/local/service.ts';
import { CommandError, projectDir, run, untilStopped } from '../support/command.ts';
import { installPythonPackages } from '../support/install.ts';

const folder = import.meta.dirname;
const signal = untilStopped(60);
const { env } = process;

const dataDir = await makeDataDir();
try {
  const programs = await installPythonPackages('schemathesis', join(folder, 'requirements.txt'), { env, signal });
  const service = await startService(dataDir);
  const target = { SERVICE_URL: service.baseUrl, STAFF_TOKEN: service.staffToken };
  const python = { PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1', SCHEMATHESIS_HOOKS: 'hooks' };
  const config = ['--config-file', join(folder, 'schemathesis.toml')];
  const args = [...config, 'run', join(projectDir, 'openapi.yaml'), ...process.argv.slice(2)];
  try {
    await run(join(programs, 'schemathesis'), args, { env: { ...env, ...target, ...python }, signal, shown: true });
  } finally {
    await service.end('SIGTERM');
  }
} catch (error) {
  process.exitCode = 1;
  const isExpected = error instanceof CommandError || error === signal.reason;
  console.error(isExpected && error instanceof Error ? error.message : error);
} finally {
  await removeDataDir(dataDir);
}
