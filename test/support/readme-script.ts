import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const readme = join(import.meta.dirname, '..', '..', 'README.md');

/** The script of the README that reads contact requests, as it stands there. */
const script = () => {
  const [, found] = /^```js\n(\/\/ read-contacts\.mjs: [\s\S]*?)^```$/m.exec(readFileSync(readme, 'utf8')) ?? [];
  if (found === undefined) throw new Error('The README has no script read-contacts.mjs.');
  return found;
};

/** Runs the script of the README in a folder. @returns how it ended, and what it said */
export const runReadmeScript = async (folder: string, variables: Readonly<Record<string, string>>) => {
  await writeFile(join(folder, 'read-contacts.mjs'), script());
  const child = spawn(process.execPath, ['read-contacts.mjs'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
};
