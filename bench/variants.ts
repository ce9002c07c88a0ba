import * as v from 'valibot';
import { type Endpoint, endpoints } from '../lib/infrastructure/endpoints.ts';
import { proxyEvent } from '../test/support/event.ts';
import { contact } from './contact.ts';
import { type BuiltFunction, buildFunctions, inFolder } from './functions.ts';
import { type Stored, withStore } from './store/store.ts';

/** A function to measure. */
export interface Variant extends BuiltFunction {
  readonly event: unknown;
  /** What the response to the event must be. */
  readonly response: v.GenericSchema;
}

const status = (code: number) => v.object({ statusCode: v.literal(code) });

/** A POST of a contact request from a page of the site. */
export const postOf = (body: string | Uint8Array, contentType = 'application/json') =>
  proxyEvent('POST /api/v1/contact', {
    headers: { 'Content-Type': contentType, Origin: 'https://www.example.com', 'User-Agent': 'Mozilla/5.0' },
    body,
  });

const authorization = (token: string) => ({
  event: {
    type: 'TOKEN',
    authorizationToken: token,
    methodArn: 'arn:aws:execute-api:eu-central-1:123456789012:api/prod/GET/api/v1/contact',
  },
  response: v.object({
    policyDocument: v.object({ Statement: v.array(v.object({ Effect: v.literal('Allow') })) }),
  }),
});

/** The status of a staff endpoint's success. */
const successOf: Readonly<Record<Endpoint['method'], number>> = { DELETE: 204, GET: 200, PATCH: 200, POST: 201 };

const exchangeOf = (name: string, { contactId, campaignId, token }: Stored) => {
  if (name === 'authorizer') return authorization(token);
  const endpoint = endpoints.find(({ handler }) => handler === name);
  if (!endpoint?.permission) return { event: postOf(JSON.stringify(contact)), response: status(201) };
  const { method, path, table } = endpoint;
  const id = table === 'campaigns' ? campaignId : contactId;
  return {
    event: proxyEvent(`${method} ${path}`, {
      tokenId: 'bench',
      ...(path.includes('{id}') && { pathParameters: { id } }),
      ...(method === 'PATCH' && { body: '{"answered":true}' }),
    }),
    response: status(successOf[method]),
  };
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
