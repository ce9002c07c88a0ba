import type { ServerSettings } from './server-settings.ts';

/** The text that a server prints when it is ready. It goes into a log that others may read, so it has no token and no address. */
export const serverWelcome = ({
  DATA_DIR,
  HOST,
  INBOX_URL,
  PUBLIC_URL,
  SMTP_URL,
  TRUSTED_PROXY,
  source,
  port,
  inboxPort,
  sites,
  hasAddressLimits,
  missingSecrets,
}: ServerSettings & {
  readonly source: string;
  readonly port: number;
  readonly inboxPort: number;
  readonly sites: readonly string[];
  /** `webAcl` is true. */
  readonly hasAddressLimits: boolean;
  readonly missingSecrets: readonly string[];
}): string => {
  const host = HOST.includes(':') ? `[${HOST}]` : HOST;
  const proxies =
    TRUSTED_PROXY.length === 0 ? 'of nobody, so the address is the peer’s' : `from ${TRUSTED_PROXY.join(', ')} only`;
  return [
    `Base URL: ${PUBLIC_URL}`,
    `Inbox: ${INBOX_URL ?? 'none, because INBOX_URL is not set'}`,
    `API: http://${host}:${port}`,
    `Health: http://${host}:${inboxPort}/health`,
    `Emails: ${SMTP_URL ? `through ${SMTP_URL.host}:${SMTP_URL.port}` : 'none, because SMTP_URL is not set'}`,
    `Settings: ${source}`,
    `Sites: ${sites.join(', ')}`,
    `Data: ${DATA_DIR}`,
    `Limits by address: ${hasAddressLimits ? `on. X-Forwarded-For is believed ${proxies}` : 'off, because webAcl is not true'}`,
    ...missingSecrets.map(
      (name) =>
        `The secret "${name}" is missing: run npx --no-install crcs secrets set ${name}, which reads it from standard input`,
    ),
  ].join('\n');
};
