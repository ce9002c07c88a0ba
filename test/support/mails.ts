import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The mails of a local service, oldest first, without the line breaks of their encoding (RFC 2045, section 6.7). */
export const mailsIn = (dataDir: string): string[] => {
  const folder = join(dataDir, 'mail');
  try {
    return readdirSync(folder)
      .toSorted()
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll(/=\r?\n/g, ''));
  } catch {
    return [];
  }
};
