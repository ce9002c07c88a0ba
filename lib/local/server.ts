import { loadSettings } from '../shared/settings-file.ts';
import { alarmsOf } from './alarm-conditions.ts';
import { type Health, serveSite } from './example-site.ts';
import { readSavedSecret } from './host/aws/secrets-manager.ts';
import { systemClock } from './host/clock.ts';
import { networksOf } from './host/gateway/client-address.ts';
import { startHost } from './host/host.ts';
import { explainFullDisk } from './host/store/data-folder.ts';
import { folderOf, inboxHeaders, writtenBaseUrl } from './inbox-page.ts';
import { createJsonLog } from './json-log.ts';
import type { Variables } from './local-settings.ts';
import { type NeededSecret, neededSecrets } from './needed-secrets.ts';
import type { RunningService } from './running-service.ts';
import { alarmSender, serverEnvironment } from './server-environment.ts';
import { readServerSettings } from './server-settings.ts';
import { serverWelcome } from './server-welcome.ts';
import { createSmtp, type Smtp } from './smtp.ts';
import { synthesizeLocal } from './synthesize.ts';
import { type Condition, createWatch } from './watch.ts';

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The secrets that the operator has yet to store. */
const missingSecrets = async (dataDir: string, needed: readonly NeededSecret[]): Promise<string[]> => {
  const names = needed.map(({ name }) => name);
  const values = await Promise.all(names.map((name) => readSavedSecret(dataDir, name)));
  return names.filter((_, at) => values[at] === undefined);
};

/** Starts the service for visitors: `PUBLIC_URL` says where they reach it. */
export const startServer = async (variables: Variables): Promise<RunningService> => {
  const settings = readServerSettings(variables);
  const { DATA_DIR, HOST, INBOX_URL, PUBLIC_URL, SMTP_URL, TRUSTED_PROXY } = settings;
  const { input, parsed, source } = serverEnvironment(await loadSettings(variables), settings);
  const { log, observe, write } = createJsonLog(
    (line) => console.log(line),
    () => new Date(),
  );
  const smtp = SMTP_URL && createSmtp(SMTP_URL, new URL(PUBLIC_URL).hostname);

  let health = (): Health => ({ status: 503, body: { status: 'starting' } });
  const inbox = await serveSite({
    folder: INBOX_URL === undefined ? undefined : folderOf('inbox'),
    port: settings.INBOX_PORT,
    host: HOST,
    replacements: new Map([[writtenBaseUrl, PUBLIC_URL]]),
    headers: inboxHeaders,
    health: () => health(),
  });
  try {
    const host = await startHost({
      dataDir: DATA_DIR,
      synthesize: () => synthesizeLocal(DATA_DIR, input),
      host: HOST,
      port: settings.PORT,
      publicUrl: PUBLIC_URL,
      trustedProxies: networksOf(TRUSTED_PROXY),
      sendEmail: smtp?.send,
      patience: 10_000,
      log,
      observe,
    });

    const watch = createWatch({
      conditions: await alarmsOf(host, DATA_DIR, systemClock),
      tell: createTell({
        smtp,
        publicUrl: PUBLIC_URL,
        from: alarmSender(parsed, SMTP_URL?.auth?.user),
        to: parsed.alarmEmails,
        write,
      }),
      report: ({ name }, error) => write('error', `alarm ${name}: ${messageOf(error)}`, { source: 'alarms' }),
      clock: systemClock,
    });
    watch.start();
    health = () => {
      const failing = watch.failing();
      return failing.length === 0
        ? { status: 200, body: { status: 'ok' } }
        : { status: 503, body: { status: 'failing', conditions: failing } };
    };

    const text = serverWelcome({
      ...settings,
      source,
      port: host.port,
      inboxPort: inbox.port,
      sites: parsed.sites.map(({ origin }) => origin),
      hasAddressLimits: parsed.webAcl,
      missingSecrets: await missingSecrets(DATA_DIR, neededSecrets(parsed)),
    });
    return {
      announce: () => {
        console.error(text);
        // An operator should not learn it from the first visitor.
        smtp?.verify().then(
          () => write('info', 'the mail server accepts us', { source: 'email' }),
          (error) => write('error', `the mail server does not accept us: ${messageOf(error)}`, { source: 'email' }),
        );
      },
      storeEnded: host.storeEnded,
      close: async () => {
        await Promise.all([inbox.close(), host.close(), watch.stop()]);
        smtp?.close();
      },
    };
  } catch (error) {
    throw explainFullDisk(DATA_DIR, error);
  }
};

interface TellOptions {
  readonly smtp: Smtp | undefined;
  readonly publicUrl: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly write: ReturnType<typeof createJsonLog>['write'];
}

/** Tells of conditions in the log, and by email. */
const createTell =
  ({ smtp, publicUrl, from, to, write }: TellOptions) =>
  async ({ name }: Condition, text: string): Promise<void> => {
    write('warn', text, { source: 'alarms', alarm: name });
    if (!smtp || to.length === 0) return;
    await smtp.sendText({ from, to, subject: `${name}: ${publicUrl}`, text: `${text}\n\n${publicUrl}\n` });
  };
