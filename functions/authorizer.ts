import middy from '@middy/core';
import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import * as v from 'valibot';
import { type AuthorizerVariables, authorizerVariables } from './authorizer-variables.ts';
import { createDocumentClient } from './dynamodb.ts';
import { describeError, log } from './log.ts';
import { type CountMetric, embeddedMetrics, metricsVariables } from './metrics.ts';
import { prime } from './prime.ts';
import { reserve } from './reserve.ts';
import { type TokenStore, tokenStore } from './tokens/store.ts';
import { tokensTable } from './tokens/table.ts';
import { isExpired, tokenIdOf } from './tokens/token.ts';
import { authenticationHeaderPattern, tokenPrefix } from './tokens/token-format.ts';
import { readTableName, readVariables } from './variables.ts';

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-input.html */
const tokenEvent = v.object({
  authorizationToken: v.string(),
  /** arn:…:execute-api:<region>:<account>:<api>/<stage>/<method>/<path> */
  methodArn: v.pipe(v.string(), v.regex(/^arn:[^/]+\/[^/]+\//)),
});

export interface AuthorizerOptions {
  readonly store: TokenStore;
  /** What each permission opens. */
  readonly grants: AuthorizerVariables['GRANTS'];
  readonly count: CountMetric;
  readonly now: () => Date;
}

/** The one message that the gateway answers with 401; every other error of an authorizer is a fault of the service. */
const unauthorized = 'Unauthorized';

const headerPattern = new RegExp(authenticationHeaderPattern);

/**
 * Turns a token into a policy over every endpoint that it may use. The gateway keeps the policy for a while, for all
 * endpoints: one made for the endpoint of the request alone would refuse the next.
 */
export const createAuthorizer = ({ store, grants, count, now }: AuthorizerOptions) =>
  middy<unknown, APIGatewayAuthorizerResult>({ timeoutEarlyInMillis: reserve })
    .onError(({ error }) => {
      // Stryker disable next-line OptionalChaining: an error brought it here, which its type does not know
      if (error?.message !== unauthorized) log('error', 'authorizer failed', describeError(error));
    })
    .handler(async (event): Promise<APIGatewayAuthorizerResult> => {
      const { authorizationToken, methodArn } = v.parse(tokenEvent, event);
      const token = headerPattern.exec(authorizationToken)?.[1];
      const record = token === undefined ? undefined : await store.find(token);
      if (!record || isExpired(record, now())) {
        count('RequestsRefused');
        throw new Error(unauthorized);
      }

      const stageArn = methodArn.split('/', 2).join('/');
      const allowed = grants.filter(({ permission }) => record.permissions.includes(permission));
      return {
        principalId: tokenIdOf(record.tokenHash),
        policyDocument: {
          Version: '2012-10-17',
          Statement: [
            allowed.length > 0
              ? {
                  Effect: 'Allow',
                  Action: 'execute-api:Invoke',
                  Resource: allowed.map(({ resource }) => `${stageArn}/${resource}`),
                }
              : { Effect: 'Deny', Action: 'execute-api:Invoke', Resource: `${stageArn}/*` },
          ],
        },
      };
    });

const now = () => new Date();

const variables = readVariables({ ...metricsVariables, ...authorizerVariables });

const options: AuthorizerOptions = {
  store: tokenStore(createDocumentClient(), readTableName(tokensTable)),
  grants: variables.GRANTS,
  count: embeddedMetrics(variables.ENVIRONMENT, now),
  now,
};

export const handler = createAuthorizer(options);

export const primed = prime(createAuthorizer({ ...options, count: () => {} }), {
  authorizationToken: `${tokenPrefix}${'0'.repeat(43)}`,
  methodArn: 'arn:start/start/',
});
