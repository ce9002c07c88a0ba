/** What `npm start` prints when the service is ready: where it is, a token, and requests to paste. */
export const welcome = ({
  baseUrl,
  siteOrigin,
  staffToken,
}: {
  readonly baseUrl: string;
  readonly siteOrigin: string;
  readonly staffToken: string;
}): string => `
Base URL: ${baseUrl}
Staff token: ${staffToken}
Example site: ${siteOrigin}

Send a contact request:
  curl -i ${baseUrl}/api/v1/contact -H 'Content-Type: application/json' -d '{"email":"ada@example.com","message":"Hello!"}'
List contact requests:
  curl -i ${baseUrl}/api/v1/contact -H 'Authentication: ${staffToken}'
List campaigns:
  curl -i ${baseUrl}/v1/campaigns -H 'Authentication: ${staffToken}'

Ctrl-C stops it.
`;
