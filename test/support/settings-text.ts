import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, parseEnvironments } from '../../lib/infrastructure/settings.ts';
import { loadSettings } from '../../lib/shared/settings-file.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Reads the text of a file of settings as the programs do. */
export const readSettings = async (text: string): Promise<readonly Environment[]> => {
  const file = join(temporaryFolder(), 'environments.ts');
  writeFileSync(file, text);
  const { environments } = await loadSettings({ CRCS_SETTINGS: file });
  return parseEnvironments(environments);
};
