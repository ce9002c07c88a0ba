import { join } from 'node:path';
import { targetsIn } from '../infrastructure/outputs.ts';
import { loadSettings } from '../shared/settings-file.ts';
import { styleFor } from '../shared/terminal-text.ts';
import { serveSite } from './example-site.ts';
import { readSavedSecret } from './host/aws/secrets-manager.ts';
import { type Host, startHost } from './host/host.ts';
import { logToStderr } from './host/host-log.ts';
import { explainFullDisk } from './host/store/data-folder.ts';
import { folderOf, inboxHeaders, writtenBaseUrl } from './inbox-page.ts';
import { addressesOf, hasUncalledTargets, localEnvironment, localSecrets, marksScripts } from './local-environment.ts';
import { readSettings, type Variables } from './local-settings.ts';
import { explainRefusedOrigins } from './refused-origins.ts';
import { createRequestLines } from './request-lines.ts';
import type { RunningService } from './running-service.ts';
import { synthesizeLocal } from './synthesize.ts';
import { welcome } from './welcome.ts';

/** The example site's address in the inbox. */
const writtenSiteUrl = 'http://localhost:8080';

/** The secret of the webhook, as Standard Webhooks writes it, or nothing without a webhook. */
const webhookSecretOf = async (dataDir: string, { outputs }: Host): Promise<string | undefined> => {
  const [arn] = targetsIn(outputs)?.targets.flatMap(({ secret }) => secret ?? []) ?? [];
  const secret = arn === undefined ? undefined : await readSavedSecret(dataDir, arn);
  return secret === undefined ? undefined : `whsec_${secret}`;
};

/** Starts the whole service for this machine alone, with the example site and a token. */
export const startLocally = async (variables: Variables): Promise<RunningService> => {
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
      const text = welcome({
        baseUrl: host.baseUrl,
        siteOrigin: site.origin,
        inboxOrigin: inbox.origin,
        staffToken,
        webhookSecret: await webhookSecretOf(settings.DATA_DIR, host),
        mails: addresses.length > 0 ? { folder: join(settings.DATA_DIR, 'mail'), addresses } : undefined,
        settings: environments['dev'] === undefined ? `${file}, which has no dev` : `dev of ${file}`,
        sites: environment.sites?.map(({ origin }) => origin) ?? [],
        isMarked: marksScripts(environment),
        hasUncalledTargets: hasUncalledTargets(environments),
      });
      return {
        announce: () => console.log(text),
        storeEnded: host.storeEnded,
        close: async () => void (await Promise.all([site.close(), inbox.close(), host.close()])),
      };
    } catch (error) {
      await host.close();
      throw error;
    }
  } catch (error) {
    throw explainFullDisk(settings.DATA_DIR, error);
  }
};
