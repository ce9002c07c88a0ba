import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLocalService } from './local-service.ts';
import type { Measurement } from './measurement.ts';
import { paired } from './paired.ts';
import type { Part } from './part.ts';

const rounds = 7;

const program = join(import.meta.dirname, '..', 'bin', 'crcs.cjs');

/** Milliseconds from the start of a process of Node's to its end. */
const timeNode = async (args: readonly string[], dataDir: string): Promise<number> => {
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${args.join(' ')} failed.`);
  return performance.now() - started;
};

const measureStaffCommand = async (): Promise<Measurement[]> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-staff-'));
  const measure = async (name: string, ...args: readonly string[]): Promise<Measurement> => {
    const { value, ratio } = await paired(
      rounds,
      () => timeNode([program, ...args], dataDir),
      () => timeNode(['-e', '0'], dataDir),
    );
    return { name, value, unit: 'ms', beside: { what: 'Node that starts and does nothing', ratio } };
  };
  const list = ['campaigns', 'list'];
  const measurements = await withLocalService(dataDir, async () => [
    await measure('Help', '--help'),
    await measure('A list beside the running service', ...list),
  ]);
  measurements.push(await measure('A list while the service is stopped', ...list));
  await rm(dataDir, { recursive: true });
  return measurements;
};

export const staffCommand: Part = {
  title: 'Staff command',
  tells:
    'From the start of its process to its end, on `local`, once Node has kept what it has compiled. While the service runs its store answers; while it does not, the command opens the store itself.',
  measure: measureStaffCommand,
};
