import * as v from 'valibot';
import { proxyEvent } from '../test/support/event.ts';
import { contact } from './contact.ts';
import { type BuiltFunction, buildFunctions, inFolder } from './functions.ts';
import { type Stored, withStore } from './store/store.ts';

/** A function to measure. */
export interface Variant extends BuiltFunction {
  readonly event: unknown;
  /** To the event. */
  readonly answer: v.GenericSchema;
}

const status = (code: number) => v.object({ statusCode: v.literal(code) });

/** A POST of a contact request from a page of the site. */
export const postOf = (body: string, contentType = 'application/json') =>
  proxyEvent('POST /api/v1/contact', {
    headers: { 'Content-Type': contentType, Origin: 'https://www.example.com', 'User-Agent': 'Mozilla/5.0' },
    body,
  });

const one = (route: string, id: string, code = 200) => ({
  event: proxyEvent(route, { pathParameters: { id }, tokenId: 'bench' }),
  answer: status(code),
});

const list = (route: string) => ({ event: proxyEvent(route, { tokenId: 'bench' }), answer: status(200) });

const exchangeOf = (name: string, { contactId, campaignId, token }: Stored) => {
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
        event: {
          type: 'TOKEN',
          authorizationToken: token,
          methodArn: 'arn:aws:execute-api:eu-central-1:123456789012:api/prod/GET/api/v1/contact',
        },
        answer: v.object({
          policyDocument: v.object({ Statement: v.array(v.object({ Effect: v.literal('Allow') })) }),
        }),
      };
    default:
      return { event: postOf(JSON.stringify(contact)), answer: status(201) };
  }
};

export const create = 'create-contact';

/** Runs with all functions, built and with a store behind them. */
export const withVariants = <Result>(
  use: (variants: readonly Variant[], folder: string) => Promise<Result>,
): Promise<Result> =>
  inFolder((folder) =>
    withStore(async (endpoint, stored) => {
      const built = await buildFunctions(folder, endpoint);
      return use(
        built.map((one) => ({ ...one, ...exchangeOf(one.name, stored) })),
        folder,
      );
    }),
  );
