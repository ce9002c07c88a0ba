import { join } from 'node:path';
import { loadSettings } from '../settings-file.ts';
import { targetsIn } from '../staff/targets.ts';
import { localEnvironment } from './environment.ts';
import { serveSite } from './example-site.ts';
import { readSavedSecret } from './host/aws/secrets.ts';
import { type Host, startHost } from './host/host.ts';
import { isolate } from './host/isolation.ts';
import { explainFullDisk } from './host/store/data-folder.ts';
import { ignoreOutputErrors, onParentExit, unblockStderr } from './process.ts';
import { explainRefusedOrigins } from './refused-origins.ts';
import { readSettings } from './settings.ts';
import { synthesizeLocal } from './synthesize.ts';
import { welcome } from './welcome.ts';

const exampleSite = join(import.meta.dirname, '..', '..', 'example-site');

/** The API's URL in the files of the example site. */
const writtenBaseUrl = 'http://127.0.0.1:3000';

/** The secret by which the webhook is signed, as Standard Webhooks writes it; nothing if there is no webhook. */
const webhookSecretOf = async (dataDir: string, { outputs }: Host): Promise<string | undefined> => {
  const [arn] = targetsIn(outputs)?.targets.flatMap((target) => ('secret' in target ? target.secret : [])) ?? [];
  const secret = arn === undefined ? undefined : await readSavedSecret(dataDir, arn);
  return secret === undefined ? undefined : `whsec_${secret}`;
};

const start = async (variables: NodeJS.ProcessEnv) => {
  const settings = readSettings(variables);
  const { file, environments } = await loadSettings(variables);
  const replacements = new Map<string, string>();
  // The site first: the API has to know its origin.
  const site = await serveSite({ folder: exampleSite, port: settings.SITE_PORT, replacements });
  try {
    const environment = localEnvironment(environments, settings, site.origin);
    const starting = startHost({
      dataDir: settings.DATA_DIR,
      synthesize: () => synthesizeLocal(settings.DATA_DIR, environment),
      port: settings.PORT,
      patience: 10_000,
      observe: explainRefusedOrigins({ file, siteOrigins: settings.SITE_ORIGINS }, (text) =>
        console.log(`\n${text}\n`),
      ),
    });
    // With the SDK, which loads while the host waits for other threads.
    const seeding = import('./seed.ts');
    const host = await starting;
    try {
      replacements.set(writtenBaseUrl, host.baseUrl);
      const { seed } = await seeding;
      const staffToken = await seed(settings.DATA_DIR, host, new Date());
      return {
        site,
        host,
        staffToken,
        webhookSecret: await webhookSecretOf(settings.DATA_DIR, host),
        mails: environment.notifications?.emails?.length ? join(settings.DATA_DIR, 'mail') : undefined,
      };
    } catch (error) {
      await host.close();
      throw error;
    }
  } catch (error) {
    await site.close();
    throw explainFullDisk(settings.DATA_DIR, error);
  }
};

/**
 * Runs the whole service on this machine until it gets SIGINT or SIGTERM, or npm's shell above it ends: a second signal ends
 * it at once. Ends the process with 1 and one line on standard error when it cannot start.
 */
export const runService = async (variables: NodeJS.ProcessEnv): Promise<void> => {
  const parent = process.ppid;
  ignoreOutputErrors();
  isolate(process.env);
  // Files are for their owner alone.
  process.umask(0o077);
  // Functions run in UTC, as on Lambda: threads share the process's time zone.
  process.env['TZ'] = 'UTC';
  try {
    const { site, host, ...shown } = await start(variables);
    unblockStderr();
    let stopping = false;
    const stop = async () => {
      if (stopping) process.exit(1);
      stopping = true;
      await Promise.all([site.close(), host.close()]);
      process.exit(0);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
    onParentExit(variables, parent, () => {
      if (!stopping) void stop();
    });

    console.log(welcome({ baseUrl: host.baseUrl, siteOrigin: site.origin, ...shown }));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
};
