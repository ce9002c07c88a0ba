import type { JsonSchema } from './json-schema.ts';

interface Header {
  readonly description: string;
  /** Where it is named at all, it is always there. */
  readonly required?: true;
  readonly schema: JsonSchema;
  readonly example: string | number;
}

/** The headers of answers: those of HTTP itself and of the gateway's operator (`Date`, `x-amzn-…`) are left out. */
export const headers = {
  Location: {
    description: 'The URL of the contact request; with 303, the thank-you page of the site.',
    required: true,
    schema: { type: 'string', format: 'uri' },
    example: 'http://127.0.0.1:3000/api/v1/contact/5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11',
  },
  'Idempotent-Replayed': {
    description: 'The key was used before with the same content: this is the first answer again.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  Link: {
    description: 'The absolute URL of the next page (RFC 8288); absent on the last page.',
    schema: { type: 'string', pattern: '^<https?://[^>]+>; rel="next"$' },
    example: '<http://127.0.0.1:3000/v1/campaigns?limit=1&cursor=2Qp4…>; rel="next"',
  },
  ETag: {
    description: 'Names what is answered: send it as `If-None-Match` the next time.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"kDBOGJ1PCVHCPDSpu1JTXnGpbQe0DTg9bfuVaIWtgXc"',
  },
  'Retry-After': {
    description: 'After how many seconds to try again.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
    example: 5,
  },
  'Cache-Control': {
    description: 'No cache keeps an answer. Absent where the gateway itself answers.',
    schema: { type: 'string', enum: ['no-store'] },
    example: 'no-store',
  },
  Vary: {
    description: 'The answer is for one origin.',
    schema: { type: 'string', enum: ['Origin'] },
    example: 'Origin',
  },
  'Access-Control-Allow-Origin': {
    description: 'The origin of the page that posted, when it is a site of the environment; `*` on some errors.',
    schema: { type: 'string' },
    example: 'https://www.example.com',
  },
  'Access-Control-Expose-Headers': {
    description: 'What a script of that page may read.',
    schema: { type: 'string' },
    example: 'Location, Idempotent-Replayed, Retry-After',
  },
  'Content-Security-Policy': {
    description: 'Of a page: nothing may load or run on it.',
    schema: { type: 'string' },
    example: "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  },
  'Referrer-Policy': {
    description: 'Of a page.',
    schema: { type: 'string', enum: ['no-referrer'] },
    example: 'no-referrer',
  },
  'X-Content-Type-Options': {
    description: 'Of a page.',
    schema: { type: 'string', enum: ['nosniff'] },
    example: 'nosniff',
  },
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof headers;
