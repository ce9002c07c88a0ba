import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions } from '../lib/infrastructure/bundle.ts';
import { settingsFile } from '../test/support/environments.ts';
import type { Measurement } from './measurement.ts';
import { paired } from './paired.ts';
import type { Part } from './part.ts';

const rounds = 5;

const timeProcess = async (script: string, env: Record<string, string>): Promise<number> => {
  const started = performance.now();
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, CRCS_SETTINGS: settingsFile, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${script} failed.`);
  return performance.now() - started;
};

const measureSynthesis = async (): Promise<Measurement[]> => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-synthesis-'));
  const bundles = await bundleFunctions(join(folder, 'functions'));
  const full = join(import.meta.dirname, '..', 'bin', 'infrastructure.ts');
  const bare = join(import.meta.dirname, 'bare-app.ts');
  const { value, ratio } = await paired(
    rounds,
    () => timeProcess(full, { CDK_OUTDIR: join(folder, 'full') }),
    () => timeProcess(bare, { CDK_OUTDIR: join(folder, 'bare'), BUNDLES: bundles }),
  );
  await rm(folder, { recursive: true });
  return [
    {
      name: 'Synthesis of all environments',
      value,
      unit: 'ms',
      beside: { what: 'the same on bundles that are there already', ratio },
    },
  ];
};

export const synthesis: Part = {
  title: 'Synthesis',
  tells:
    'The CDK app as `npx cdk` runs it, with the bundles of the functions and the checks that stop a bad template. × 1.00 would be bundling that takes no time.',
  measure: measureSynthesis,
};
