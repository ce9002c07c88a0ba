import { listParameters as campaignListParameters } from '../../functions/campaigns/read.ts';
import { keyPattern } from '../../functions/contacts/idempotency.ts';
import { listParameters as contactListParameters } from '../../functions/contacts/list.ts';
import { type ErrorStatus, faultCodes, parameterFaultCodes, retryAfterSeconds } from '../../functions/http/errors.ts';
import type { EndpointId, endpoints } from '../infrastructure/endpoints.ts';
import type { HeaderName } from './headers.ts';
import type { JsonSchema } from './json-schema.ts';
import { queryParameters } from './query-parameters.ts';
import type { SchemaName } from './schemas.ts';

/** A success, or what is none but no error either. */
export interface Answer {
  readonly status: number;
  readonly description: string;
  readonly headers: readonly HeaderName[];
  /** By media type; none: there is no body. */
  readonly content?: Readonly<Record<string, SchemaName | readonly [SchemaName] | 'text'>>;
}

export interface ErrorAnswer {
  readonly status: ErrorStatus;
  readonly description: string;
  /** The codes that `details` may have. @defaultValue there are no details */
  readonly codes?: readonly string[];
}

/** Who meets an endpoint: a browser may want a page. */
export type Audience = 'staff' | 'visitors';

export interface Parameter {
  readonly name: string;
  readonly in: 'header' | 'path' | 'query';
  readonly description: string;
  readonly schema: JsonSchema;
}

/** What the row of an endpoint does not say of it. */
export interface Operation {
  readonly tag: TagName;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body?: SchemaName;
  readonly answers: readonly Answer[];
  /** Its own errors, besides those of every endpoint. */
  readonly errors: readonly ErrorAnswer[];
}

export const tags = {
  'Contact requests': 'What visitors sent.',
  Campaigns: 'What the staff command keeps: no endpoint writes them.',
} as const;

export type TagName = keyof typeof tags;

const cors = ['Vary', 'Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'] as const;

const ofPages = ['Content-Security-Policy', 'Referrer-Policy', 'X-Content-Type-Options'] as const;

/** What the gateway and the authorizer may answer everywhere, and the service when it fails. */
const commonErrors: readonly ErrorAnswer[] = [
  {
    status: 400,
    description: 'The request is none that the gateway can read, as with a path that is no percent-encoding.',
  },
  { status: 403, description: 'The web ACL refused the request, where the environment has one.' },
  { status: 413, description: 'The request is larger than the gateway takes.' },
  { status: 429, description: 'Throttled.' },
  { status: 500, description: 'A fault of the service.' },
  { status: 503, description: 'The service is away for a moment.' },
];

/** The same of an endpoint that needs a token. */
const tokenErrors: readonly ErrorAnswer[] = [
  { status: 401, description: 'There is no token, or it is malformed, unknown, expired or revoked.' },
  {
    status: 403,
    description: 'The token may not do this; or the web ACL refused the request, where the environment has one.',
  },
];

/**
 * The headers of an error. One of the gateway may meet visitors and staff alike, so that it has those of CORS on each
 * endpoint.
 */
export const errorHeaders = (status: ErrorStatus, audience: Audience): readonly HeaderName[] => [
  'Cache-Control',
  ...(retryAfterSeconds[status] === undefined ? [] : (['Retry-After'] as const)),
  ...(audience === 'visitors' || commonErrors.some((common) => common.status === status) ? cors : []),
  ...(audience === 'visitors' ? ofPages : []),
];

const absent: ErrorAnswer = { status: 404, description: 'There is none of this id. What is no UUID is no id.' };

const wrongQuery: ErrorAnswer = {
  status: 400,
  description: 'A query parameter is wrong, repeated or unknown.',
  codes: parameterFaultCodes,
};

const id = {
  name: 'id',
  in: 'path',
  description: 'A UUID, in whatever case.',
  schema: { type: 'string', format: 'uuid' },
} as const satisfies Parameter;

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier answer: 304 when it would be the same again.',
  schema: { type: 'string' },
} as const satisfies Parameter;

/** The answers of an endpoint with an `ETag`. */
const conditional = (
  description: string,
  content: SchemaName | readonly [SchemaName],
  ...own: readonly HeaderName[]
): readonly Answer[] => {
  const headers: readonly HeaderName[] = [...own, 'ETag', 'Cache-Control'];
  return [
    { status: 200, description, headers, content: { 'application/json': content } },
    { status: 304, description: 'It is as it was.', headers },
  ];
};

const cursor = 'Where the page begins: opaque, from the `Link` of the page before.';

const keyReused = 'idempotency_key_reused';

export const operations: Readonly<Record<EndpointId, Operation>> = {
  CreateContact: {
    tag: 'Contact requests',
    description: `What a visitor's form posts to.

It takes \`application/json\`, and just so \`application/x-www-form-urlencoded\` and \`multipart/form-data\` (texts only), up to 64 KiB. Clients that are made from this document send JSON; what a form's field may hold is the same.

A field \`idempotency-key\` counts as the header when that is missing. The honeypot field (\`website\`, unless the environment names another) is for bots: when it is filled, the answer is the same as ever, and the contact request is stored, marked as spam.

A browser that posts a plain form prefers \`text/html\`, and gets a page instead of JSON: 303 to the thank-you page of its site or 201 with a built-in one, and of every error that the service itself finds a page with the same status.`,
    parameters: [
      {
        name: 'Idempotency-Key',
        in: 'header',
        description:
          '1 to 255 visible ASCII characters, such as a UUID. The same key with the same content gives the first answer again, and is stored once; with other content, 422.',
        schema: { type: 'string', pattern: keyPattern.source },
      },
    ],
    body: 'NewContactRequest',
    answers: [
      {
        status: 201,
        description: 'It is stored. (`text/html` is for a browser that posts a plain form.)',
        headers: ['Location', 'Idempotent-Replayed', 'Cache-Control', ...cors, ...ofPages],
        content: { 'application/json': 'ContactRequest', 'text/html': 'text' },
      },
      {
        status: 303,
        description: 'It is stored: a browser that posted a plain form goes to the thank-you page of the site.',
        headers: ['Location', 'Cache-Control', ...cors],
      },
    ],
    errors: [
      {
        status: 400,
        description: 'The body, a field or the key is at fault.',
        codes: faultCodes.filter((code) => code !== keyReused),
      },
      {
        status: 403,
        description:
          'The page that posts is on no site of the environment (its `Origin`); or the web ACL refused the request.',
      },
      { status: 413, description: 'The body has more than 64 KiB.' },
      { status: 415, description: 'The body is of no type that is taken, or holds a file.' },
      { status: 422, description: 'The key was used before, with other content.', codes: [keyReused] },
    ],
  },
  ListContacts: {
    tag: 'Contact requests',
    description: `A page of contact requests. The next one stands in \`Link\`.

The place of a contact request in the list is its \`createdAt\`, or its \`releasedAt\` when it was released from spam. Paging neither repeats nor skips what stood there when it began.

To read on from the last time, ask for \`order=asc&since=<the last place read, less one minute>\`, follow \`Link\` until there is none, and keep each \`id\` once, as it came last: that misses nothing.`,
    parameters: queryParameters(contactListParameters('contacts'), {
      limit: 'How many a page has at most. One of very long ones ends earlier.',
      order: '`desc`, newest first, or `asc`, oldest first.',
      cursor,
      since: 'From this place on, inclusive.',
      until: 'Up to this place, exclusive.',
      spam: 'Those that are marked as spam, instead of the others.',
    }),
    answers: [
      {
        status: 200,
        description:
          'The page. With `Accept: text/csv` as CSV (RFC 4180) for people: an apostrophe stands before what a spreadsheet could take for a formula. Programs read JSON.',
        headers: ['Link', 'Cache-Control'],
        content: { 'application/json': ['ContactRequest'], 'text/csv': 'text' },
      },
    ],
    errors: [wrongQuery],
  },
  GetContact: {
    tag: 'Contact requests',
    description: 'A contact request, spam or not, at once when it is stored.',
    parameters: [id, ifNoneMatch],
    answers: conditional('The contact request.', 'ContactRequest'),
    errors: [absent],
  },
  DeleteContact: {
    tag: 'Contact requests',
    description: 'Deletes a contact request for good. Its `Idempotency-Key` is free again then.',
    parameters: [id],
    answers: [{ status: 204, description: 'It is gone.', headers: [] }],
    errors: [absent],
  },
  ListCampaigns: {
    tag: 'Campaigns',
    description: 'A page of campaigns, by name. The next one stands in `Link`.',
    parameters: [
      ...queryParameters(campaignListParameters, { limit: 'How many a page has at most.', cursor }),
      ifNoneMatch,
    ],
    answers: conditional('The page: `[]` when there are no campaigns.', ['Campaign'], 'Link'),
    errors: [wrongQuery],
  },
  GetCampaign: {
    tag: 'Campaigns',
    description: 'A campaign.',
    parameters: [id, ifNoneMatch],
    answers: conditional('The campaign.', 'Campaign'),
    errors: [absent],
  },
};

export type ServiceEndpoint = (typeof endpoints)[number];

/** Each status once, by what is said of it last. */
const byStatus = (errors: readonly ErrorAnswer[]): ErrorAnswer[] =>
  [...new Map(errors.map((error) => [error.status, error])).values()].sort((one, other) => one.status - other.status);

/** The errors of every endpoint that needs a token. */
export const staffErrors = byStatus([...commonErrors, ...tokenErrors]);

/** The errors of an endpoint: what it says of one itself goes before what is said of all. */
export const errorsOf = ({ id, permission }: ServiceEndpoint): ErrorAnswer[] =>
  byStatus([...(permission ? staffErrors : commonErrors), ...operations[id].errors]);
