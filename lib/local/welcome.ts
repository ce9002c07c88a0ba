const howToBeTold = `Be told of each contact request: start with NOTIFY_EMAIL=me@example.com or NOTIFY_WEBHOOK=http://localhost:9000/
`;

/** What `npm start` prints when the service is ready: where it is, a token, and requests to paste. */
export const welcome = ({
  baseUrl,
  siteOrigin,
  staffToken,
  webhookSecret,
  mails,
}: {
  readonly baseUrl: string;
  readonly siteOrigin: string;
  readonly staffToken: string;
  /** By which the webhook verifies what it is told, if there is one. */
  readonly webhookSecret?: string | undefined;
  /** The folder of the mails, if anybody is told by mail. */
  readonly mails?: string | undefined;
}): string => `
${[
  `Base URL: ${baseUrl}`,
  `Staff token: ${staffToken}`,
  ...(webhookSecret === undefined ? [] : [`Webhook secret: ${webhookSecret}`]),
  ...(mails === undefined ? [] : [`Mails: ${mails}`]),
  `Example site: ${siteOrigin}`,
].join('\n')}

Send a contact request:
  curl -i ${baseUrl}/api/v1/contact -H 'Content-Type: application/json' -d '{"email":"ada@example.com","message":"Hello!"}'
List contact requests:
  curl -i ${baseUrl}/api/v1/contact -H 'Authentication: ${staffToken}'
List campaigns:
  curl -i ${baseUrl}/v1/campaigns -H 'Authentication: ${staffToken}'
${webhookSecret === undefined && mails === undefined ? howToBeTold : ''}
Ctrl-C stops it.
`;
