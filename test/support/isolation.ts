import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isolate } from '../../lib/local/host/isolation.ts';

/**
 * Keeps tests on this machine and out of the home folder. Call it before the tests' own processes start, because these
 * inherit what is left of the variables.
 */
export const isolateTests = (): void => {
  isolate(process.env);
  const home = mkdtempSync(join(tmpdir(), 'contact-service-home-'));
  process.on('exit', () => rmSync(home, { recursive: true, force: true }));
  process.env['HOME'] = home;
  // USERPROFILE is HOME on Windows.
  process.env['USERPROFILE'] = home;
  // The CDK's command ignores HOME. It remembers which account a key belongs to, so a test could pass only because of an
  // earlier run.
  process.env['CDK_HOME'] = join(home, '.cdk');
};
