import { join } from 'node:path';
import { targetsIn } from '../infrastructure/outputs.ts';
import { loadSettings } from '../shared/settings-file.ts';
import { styleFor } from '../shared/terminal-text.ts';
import { serveSite } from './example-site.ts';
import { readSavedSecret } from './host/aws/secrets-manager.ts';
import { type Host, startHost } from './host/host.ts';
import { logToStderr } from './host/host-log.ts';
import { isolate } from './host/isolation.ts';
import { explainFullDisk } from './host/store/data-folder.ts';
import { addressesOf, hasUncalledTargets, localEnvironment, localSecrets, marksScripts } from './local-environment.ts';
import { readSettings } from './local-settings.ts';
import { explainRefusedOrigins } from './refused-origins.ts';
import { createRequestLines } from './request-lines.ts';
import { synthesizeLocal } from './synthesize.ts';
import { welcome } from './welcome.ts';

const folderOf = (name: string) => join(import.meta.dirname, '..', '..', name);

/** The API's URL in the files of the example site and of the inbox. */
const writtenBaseUrl = 'http://127.0.0.1:3000';

/** The example site's address in the inbox. */
const writtenSiteUrl = 'http://localhost:8080';

/** A page cannot forbid frames by itself: `frame-ancestors` works only as a header. */
const inboxHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** The secret of the webhook, as Standard Webhooks writes it, or nothing without a webhook. */
const webhookSecretOf = async (dataDir: string, { outputs }: Host): Promise<string | undefined> => {
  const [arn] = targetsIn(outputs)?.targets.flatMap(({ secret }) => secret ?? []) ?? [];
  const secret = arn === undefined ? undefined : await readSavedSecret(dataDir, arn);
  return secret === undefined ? undefined : `whsec_${secret}`;
};

const start = async (variables: NodeJS.ProcessEnv) => {
  const settings = readSettings(variables);
  const { file, environments } = await loadSettings(variables);
  const replacements = new Map<string, string>();
  // The pages start first: the API must know their origins.
  const site = await serveSite({ folder: folderOf('example-site'), port: settings.SITE_PORT, replacements });
  const inbox = await serveSite({
    folder: folderOf('inbox'),
    port: settings.INBOX_PORT,
    replacements,
    headers: inboxHeaders,
  });
  try {
    const pages = { exampleSite: site.origin, inbox: inbox.origin };
    const environment = localEnvironment(environments, settings, pages);
    const requestLines = createRequestLines((line) => console.log(line), logToStderr, styleFor(process.stdout));
    const explain = explainRefusedOrigins(
      { file, siteOrigins: settings.SITE_ORIGINS, inboxOrigin: inbox.origin },
      (text) => console.log(`\n${text}\n`),
    );
    const starting = startHost({
      dataDir: settings.DATA_DIR,
      synthesize: () => synthesizeLocal(settings.DATA_DIR, environment),
      port: settings.PORT,
      secrets: localSecrets(environment),
      patience: 10_000,
      log: requestLines.log,
      observe: (exchange) => {
        requestLines.observe(exchange);
        explain(exchange);
      },
    });
    // Loads the SDK while the host waits for its threads.
    const seeding = import('./seed.ts');
    const host = await starting;
    try {
      replacements.set(writtenBaseUrl, host.baseUrl).set(writtenSiteUrl, site.origin);
      const { seed } = await seeding;
      const staffToken = await seed(settings.DATA_DIR, host, new Date());
      const addresses = addressesOf(environment);
      return {
        site,
        inbox,
        host,
        staffToken,
        webhookSecret: await webhookSecretOf(settings.DATA_DIR, host),
        mails: addresses.length > 0 ? { folder: join(settings.DATA_DIR, 'mail'), addresses } : undefined,
        settings: environments['dev'] === undefined ? `${file}, which has no dev` : `dev of ${file}`,
        sites: environment.sites?.map(({ origin }) => origin) ?? [],
        isMarked: marksScripts(environment),
        hasUncalledTargets: hasUncalledTargets(environments),
      };
    } catch (error) {
      await host.close();
      throw error;
    }
  } catch (error) {
    throw explainFullDisk(settings.DATA_DIR, error);
  }
};

/** A reader that leaves early, as `head` does, or a full disk must not stop the service. */
const ignoreOutputErrors = (): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
};

/** Milliseconds between two looks at the parent process. */
const parentInterval = 500;

/**
 * Calls back when the parent process has ended, if npm started this one. npm passes SIGTERM only to the shell between the
 * two: without this, the service would go on unseen, and hold its data. After `kill -9` of npm it does go on: the shell is
 * still there, and Node cannot see the parent of its parent.
 * @param parent the id of the parent process at the start
 */
const onParentExit = (variables: NodeJS.ProcessEnv, parent: number, act: () => void): void => {
  if (variables['npm_lifecycle_event'] === undefined) return;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, parentInterval);
};

/**
 * Runs the whole service on this machine until it gets SIGINT or SIGTERM, the npm that started it gets SIGTERM, or its store
 * fails. A second signal ends it at once. If it cannot start, it prints one line on standard error and ends the process with 1.
 */
export const runService = async (variables: NodeJS.ProcessEnv): Promise<void> => {
  const parent = process.ppid;
  ignoreOutputErrors();
  isolate(process.env);
  // Only the owner may read the files.
  process.umask(0o077);
  // Lambda runs functions in UTC. Threads share the time zone of the process.
  process.env['TZ'] = 'UTC';
  try {
    const { site, inbox, host, ...shown } = await start(variables);
    let stopping = false;
    const stop = async () => {
      if (stopping) process.exit(1);
      stopping = true;
      await Promise.all([site.close(), inbox.close(), host.close()]);
      process.exit(0);
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
    onParentExit(variables, parent, () => {
      if (!stopping) void stop();
    });
    void host.storeEnded.then(() => {
      if (!stopping) process.exit(1);
    });

    console.log(welcome({ baseUrl: host.baseUrl, siteOrigin: site.origin, inboxOrigin: inbox.origin, ...shown }));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
};
