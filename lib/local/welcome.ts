const howToBeNotified = `To be notified of each contact request, write NOTIFY_EMAIL=me@example.com into .env and start again.
`;

const howToSeeSpam = `
  The spam settings of dev mark it as spam. To see it: npx --no-install crcs contacts list --spam`;

/** The text that `npm start` prints when the service is ready. */
export const welcome = ({
  baseUrl,
  siteOrigin,
  inboxOrigin,
  staffToken,
  webhookSecret,
  mails,
  settings,
  sites,
  isMarked,
  hasUncalledTargets,
}: {
  readonly baseUrl: string;
  readonly siteOrigin: string;
  readonly inboxOrigin: string;
  readonly staffToken: string;
  /** The secret that verifies the webhook, if there is one. */
  readonly webhookSecret?: string | undefined;
  /** If there are addresses. */
  readonly mails?: { readonly folder: string; readonly addresses: readonly string[] } | undefined;
  /** Which ones are used. */
  readonly settings: string;
  /** The origins whose pages can send. */
  readonly sites: readonly string[];
  /** A defence against spam marks the contact request of the first command. */
  readonly isMarked: boolean;
  /** `dev` has webhooks or chats. */
  readonly hasUncalledTargets: boolean;
}): string => `
${[
  `Base URL: ${baseUrl}`,
  `Staff token: ${staffToken}`,
  ...(webhookSecret === undefined ? [] : [`Webhook secret: ${webhookSecret}`]),
  ...(mails === undefined ? [] : [`Emails: ${mails.folder}, to ${mails.addresses.join(', ')}`]),
  ...(hasUncalledTargets ? ['Webhooks and chats of dev: not called from this machine'] : []),
  `Example site: ${siteOrigin}`,
  `Inbox: ${inboxOrigin}/#token=${staffToken}`,
  `Settings: ${settings}`,
  `Sites: ${sites.join(', ')}`,
].join('\n')}

Send a contact request:
  curl -i ${baseUrl}/api/v1/contact -H 'Content-Type: application/json' -d '{"email":"ada@example.com","message":"Hello!"}'${isMarked ? howToSeeSpam : ''}
List contact requests:
  curl -i ${baseUrl}/api/v1/contact -H 'Authentication: ${staffToken}'
List campaigns:
  curl -i ${baseUrl}/v1/campaigns -H 'Authentication: ${staffToken}'
${webhookSecret === undefined && mails === undefined ? howToBeNotified : ''}
Press Ctrl-C to stop.
`;
