import type { EndpointId } from '../infrastructure/endpoints.ts';

/**
 * A request and what the service answers: test/openapi/examples.test.ts sends each. An id, a time or a cursor that the
 * service gives is another each time.
 */
export interface Exchange {
  /** Names the example in the document, on both sides. */
  readonly name: string;
  readonly summary: string;
  readonly request: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, string>>;
    readonly id?: string;
    /** A text is sent as it is, all else as JSON. */
    readonly body?: string | Readonly<Record<string, unknown>>;
  };
  readonly answer: {
    readonly status: number;
    /** The header `Link`, with `…` for what differs each time. The page shows it. */
    readonly link?: string;
    readonly body?: unknown;
  };
}

const shortest = { email: 'grace@example.com', message: 'Tea & cake?' };

const full = {
  email: 'ada@example.com',
  phone: '+1 555 0100',
  company: 'Analytical Engines',
  message: 'Hello!\nDo you ship to Malta?',
  firstName: 'Ada',
  lastName: 'Lovelace',
};

const storedShortest = {
  id: '0d9a4c3e-6a52-4d0e-8f6b-7c1f6a1d2b90',
  createdAt: '2026-03-01T12:00:00.000Z',
  ...shortest,
};

const storedFull = {
  id: '5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11',
  createdAt: '2026-03-01T12:30:00.000Z',
  ...full,
  extra: { topic: 'An order', colours: ['red', 'blue'], copies: '3' },
};

const key = { 'Idempotency-Key': '7a2c1f9e-3b1d-4c57-9a57-1d4c0a9e6f21' };

/** Campaigns, by name. */
export const campaigns = [
  { id: 'c1b7a3d4-52c8-4f7e-9d0a-6e3b8f2a1c05', name: 'Newsletter' },
  { id: '8e4f2b6a-9c1d-4a35-b7e8-0f5d3c6a9b12', name: 'Spring sale' },
] as const;

const notFound = { status: 404, body: { error: 'Not Found' } };

/** By endpoint, in an order in which they can be sent one after the other. */
export const exchanges: Readonly<Record<EndpointId, readonly Exchange[]>> = {
  CreateContact: [
    {
      name: 'shortest',
      summary: 'The least that is needed',
      request: { body: shortest },
      answer: { status: 201, body: storedShortest },
    },
    {
      name: 'full',
      summary: 'Every field, and three of the form',
      request: { headers: key, body: { ...full, topic: 'An order', colours: ['red', 'blue'], copies: 3 } },
      answer: { status: 201, body: storedFull },
    },
    {
      name: 'mistakes',
      summary: 'Several mistakes at once',
      request: { headers: { 'Idempotency-Key': 'two words' }, body: { email: 'nobody', phone: 'none', message: ' ' } },
      answer: {
        status: 400,
        body: {
          error: 'Bad Request',
          details: [
            {
              field: 'Idempotency-Key',
              code: 'invalid_idempotency_key',
              limit: 255,
              message: 'Use 1 to 255 visible ASCII characters, such as a UUID.',
            },
            {
              field: 'email',
              code: 'invalid_email',
              message: 'Enter an email address, such as name@example.com.',
            },
            {
              field: 'phone',
              code: 'invalid_phone',
              message: 'Enter a phone number: at least 3 digits, and besides digits only spaces and + ( ) - . / x #.',
            },
            { field: 'message', code: 'required', message: 'Enter a message.' },
          ],
        },
      },
    },
    {
      name: 'brokenJson',
      summary: 'A body that is no JSON',
      request: { body: '{"email":' },
      answer: {
        status: 400,
        body: {
          error: 'Bad Request',
          details: [{ field: 'body', code: 'malformed_json', message: 'This is not valid JSON.' }],
        },
      },
    },
    {
      name: 'reusedKey',
      summary: 'A key that was used before with other content',
      request: { headers: key, body: shortest },
      answer: {
        status: 422,
        body: {
          error: 'Unprocessable Content',
          details: [
            {
              field: 'Idempotency-Key',
              code: 'idempotency_key_reused',
              message: 'This key was used before with other content: send a new key.',
            },
          ],
        },
      },
    },
  ],
  ListContacts: [
    {
      name: 'newestFirst',
      summary: 'Newest first',
      request: {},
      answer: { status: 200, body: [storedFull, storedShortest] },
    },
    {
      name: 'readingForward',
      summary: 'From a time on, oldest first, a page of one',
      request: { query: { order: 'asc', since: '2026-03-01T11:59:00Z', limit: '1' } },
      answer: {
        status: 200,
        link: '<https://…/api/v1/contact?order=asc&since=2026-03-01T11%3A59%3A00Z&limit=1&until=…&cursor=…>; rel="next"',
        body: [storedShortest],
      },
    },
    {
      name: 'csv',
      summary: 'As CSV',
      request: { headers: { Accept: 'text/csv' }, query: { order: 'asc' } },
      answer: {
        status: 200,
        body: [
          'id,createdAt,email,phone,company,message,firstName,lastName,site,releasedAt,extra\r\n',
          `${storedShortest.id},${storedShortest.createdAt},grace@example.com,,,Tea & cake?,,,,,\r\n`,
          `${storedFull.id},${storedFull.createdAt},ada@example.com,'+1 555 0100,Analytical Engines,"Hello!\nDo you ship to Malta?",Ada,Lovelace,,,"{""topic"":""An order"",""colours"":[""red"",""blue""],""copies"":""3""}"\r\n`,
        ].join(''),
      },
    },
    {
      name: 'mistakes',
      summary: 'Several mistakes at once',
      request: { query: { limit: '0', order: 'up', colour: 'red' } },
      answer: {
        status: 400,
        body: {
          error: 'Bad Request',
          details: [
            { field: 'colour', code: 'unknown_parameter', message: 'This list has no such parameter.' },
            { field: 'limit', code: 'invalid_parameter', message: 'Use a whole number from 1 to 200.' },
            { field: 'order', code: 'invalid_parameter', message: 'Use asc or desc.' },
          ],
        },
      },
    },
  ],
  GetContact: [
    {
      name: 'full',
      summary: 'One that is there',
      request: { id: storedFull.id },
      answer: { status: 200, body: storedFull },
    },
    { name: 'absent', summary: 'An id that nothing has', request: { id: campaigns[0].id }, answer: notFound },
  ],
  DeleteContact: [
    { name: 'full', summary: 'One that is there', request: { id: storedFull.id }, answer: { status: 204 } },
    { name: 'deleted', summary: 'The same again', request: { id: storedFull.id }, answer: notFound },
  ],
  ListCampaigns: [
    { name: 'byName', summary: 'By name', request: {}, answer: { status: 200, body: campaigns } },
    {
      name: 'mistakes',
      summary: 'A cursor that this list did not give',
      request: { query: { cursor: 'nonsense' } },
      answer: {
        status: 400,
        body: {
          error: 'Bad Request',
          details: [
            {
              field: 'cursor',
              code: 'invalid_parameter',
              message: 'Not a cursor of this list: take it from a Link header.',
            },
          ],
        },
      },
    },
  ],
  GetCampaign: [
    {
      name: 'campaign',
      summary: 'One that is there',
      request: { id: campaigns[1].id },
      answer: { status: 200, body: campaigns[1] },
    },
    { name: 'absent', summary: 'An id that nothing has', request: { id: storedFull.id }, answer: notFound },
  ],
};
