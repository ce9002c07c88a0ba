import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Makes a project in which the programs are copies, and the code and the packages are links. */
export const makeProject = (parent = tmpdir()): string => {
  const folder = mkdtempSync(join(parent, 'contact-service-project-'));
  for (const copied of ['bin', 'package.json']) cpSync(join(root, copied), join(folder, copied), { recursive: true });
  for (const linked of ['functions', 'lib', 'node_modules']) {
    // Windows lets everyone make a junction.
    symlinkSync(join(root, linked), join(folder, linked), 'junction');
  }
  return folder;
};

let made: string | undefined;

/** The project for processes of tests, without an .env: a contributor's own must not change what they do. */
export const projectWithoutEnv = (): string => {
  if (made === undefined) {
    const folder = makeProject();
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    made = folder;
  }
  return made;
};
