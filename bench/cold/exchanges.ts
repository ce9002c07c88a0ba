import * as v from 'valibot';
import { proxyEvent } from '../../test/support/event.ts';
import type { Stored } from './answers.ts';
import { badPost, goodPost } from './events.ts';

const httpAnswer = (status: number) => v.object({ statusCode: v.literal(status) });

/** What an authorizer answers to who may do something. */
const allowing = v.object({
  policyDocument: v.object({ Statement: v.array(v.object({ Effect: v.literal('Allow') })) }),
});

/** An event, and what its answer has to be. */
export interface Exchange {
  readonly event: unknown;
  readonly answer: v.GenericSchema;
}

/** What a function is asked. */
export interface Exchanges {
  /** What is measured. */
  readonly exchange: Exchange;
  /** What it has to answer besides. */
  readonly others: readonly Exchange[];
}

/** What a peer is asked. */
export const posts: Exchanges = {
  exchange: { event: goodPost, answer: httpAnswer(201) },
  others: [{ event: badPost, answer: httpAnswer(400) }],
};

const id = v.object({ id: v.object({ S: v.string() }) });

/** What the functions of the service are asked, by their handler. */
export const exchangesOf = ({ items, token }: Stored): Readonly<Record<string, Exchanges>> => {
  const idOf = (table: string) => v.parse(id, items[table]?.[0]).id.S;
  const get = (route: string, table: string, status = 200) => {
    const event = (value: string) => proxyEvent(route, { pathParameters: { id: value }, tokenId: 'bench' });
    return {
      exchange: { event: event(idOf(table)), answer: httpAnswer(status) },
      others: [{ event: event('00000000-0000-4000-8000-000000000000'), answer: httpAnswer(404) }],
    };
  };
  const list = (route: string) => ({
    exchange: { event: proxyEvent(route, { tokenId: 'bench' }), answer: httpAnswer(200) },
    others: [{ event: proxyEvent(route, { tokenId: 'bench', query: [['limit', 'many']] }), answer: httpAnswer(400) }],
  });
  return {
    'create-contact': posts,
    'list-contacts': list('GET /api/v1/contact'),
    'get-contact': get('GET /api/v1/contact/{id}', 'contacts'),
    'delete-contact': get('DELETE /api/v1/contact/{id}', 'contacts', 204),
    'list-campaigns': list('GET /v1/campaigns'),
    'get-campaign': get('GET /v1/campaigns/{id}', 'campaigns'),
    authorizer: {
      exchange: {
        event: {
          type: 'TOKEN',
          authorizationToken: token,
          methodArn: 'arn:aws:execute-api:eu-central-1:123456789012:api/prod/GET/api/v1/contact',
        },
        answer: allowing,
      },
      others: [],
    },
  };
};
