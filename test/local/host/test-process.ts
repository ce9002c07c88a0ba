import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { onTestFinished } from 'vitest';
import type { StoreAddress } from '../../../lib/local/host/store/announcement.ts';
import type { Assembly } from '../../../lib/local/host/template/template.ts';

const printedSchema = v.object({
  store: v.object({ endpoint: v.string(), accessKeyId: v.string() }),
  tables: v.record(v.string(), v.string()),
});

const script = join(import.meta.dirname, 'serve-in-process.ts');

/** Serves a data directory in a process of its own, until that is ended or the test is. */
export const startProcess = async (
  dataDir: string,
  { directory, stackName }: Assembly,
): Promise<{
  readonly child: ChildProcess;
  readonly store: StoreAddress;
  readonly tables: Readonly<Record<string, string>>;
}> => {
  const child = spawn(process.execPath, [script, dataDir, directory, stackName], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [printed] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, ...v.parse(printedSchema, JSON.parse(printed)) };
};
