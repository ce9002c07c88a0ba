import * as v from 'valibot';
import { proxyEvent } from '../test/support/event.ts';
import { contact } from './contact.ts';
import { type BuiltFunction, buildFunctions, inFolder, peers } from './functions.ts';
import { type Stored, withStore } from './store/store.ts';

/** An event, and the answer to expect. */
interface Exchange {
  readonly event: unknown;
  readonly answer: v.GenericSchema;
}

/** A function to measure. */
export interface Variant extends BuiltFunction {
  /** The event that is measured. */
  readonly exchange: Exchange;
  /** An event to refuse: a function that only succeeds would be measured for too little work. */
  readonly refused?: Exchange;
}

const status = (code: number) => v.object({ statusCode: v.literal(code) });

/** A POST of a contact request from a page of the site. */
export const postOf = (body: string, contentType = 'application/json') =>
  proxyEvent('POST /api/v1/contact', {
    headers: { 'Content-Type': contentType, Origin: 'https://www.example.com', 'User-Agent': 'Mozilla/5.0' },
    body,
  });

const posts = {
  exchange: { event: postOf(JSON.stringify(contact)), answer: status(201) },
  refused: { event: postOf(JSON.stringify({ ...contact, message: '' })), answer: status(400) },
};

const one = (route: string, id: string, code = 200) => {
  const event = (value: string) => proxyEvent(route, { pathParameters: { id: value }, tokenId: 'bench' });
  return {
    exchange: { event: event(id), answer: status(code) },
    refused: { event: event('00000000-0000-4000-8000-000000000000'), answer: status(404) },
  };
};

const list = (route: string) => ({
  exchange: { event: proxyEvent(route, { tokenId: 'bench' }), answer: status(200) },
  refused: { event: proxyEvent(route, { tokenId: 'bench', query: [['limit', 'many']] }), answer: status(400) },
});

const exchangesOf = (name: string, { contactId, campaignId, token }: Stored) => {
  switch (name) {
    case 'list-contacts':
      return list('GET /api/v1/contact');
    case 'get-contact':
      return one('GET /api/v1/contact/{id}', contactId);
    case 'delete-contact':
      return one('DELETE /api/v1/contact/{id}', contactId, 204);
    case 'list-campaigns':
      return list('GET /v1/campaigns');
    case 'get-campaign':
      return one('GET /v1/campaigns/{id}', campaignId);
    case 'authorizer':
      return {
        exchange: {
          event: {
            type: 'TOKEN',
            authorizationToken: token,
            methodArn: 'arn:aws:execute-api:eu-central-1:123456789012:api/prod/GET/api/v1/contact',
          },
          answer: v.object({
            policyDocument: v.object({ Statement: v.array(v.object({ Effect: v.literal('Allow') })) }),
          }),
        },
      };
    default:
      return posts;
  }
};

export const create = 'create-contact';

/** @throws {Error} if nothing has this name */
export const named = <One extends { readonly name: string }>(all: readonly One[], name: string): One => {
  const found = all.find((one) => one.name === name);
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
};

/** Runs with all functions, built and with a store behind them. */
export const withVariants = <Result>(
  use: (variants: readonly Variant[], folder: string) => Promise<Result>,
): Promise<Result> =>
  inFolder((folder) =>
    withStore(async (endpoint, stored) => {
      const built = await buildFunctions(folder, peers, endpoint);
      return use(
        built.map((one) => ({ ...one, ...exchangesOf(one.name, stored) })),
        folder,
      );
    }),
  );
