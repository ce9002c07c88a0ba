import middy from '@middy/core';
import type { APIGatewayAuthorizerResult } from 'aws-lambda';
import * as v from 'valibot';
import { timeoutReserve } from '../shared/availability.ts';
import { describeError, log } from '../shared/log.ts';
import type { CountMetric } from '../shared/metrics.ts';
import type { Grants } from './authorizer-settings.ts';
import { authenticationHeaderPattern, isExpired, tokenIdOf } from './token.ts';
import type { TokenStore } from './token-store.ts';

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-input.html */
const tokenEvent = v.object({
  authorizationToken: v.string(),
  /** arn:…:execute-api:<region>:<account>:<api>/<stage>/<method>/<path> */
  methodArn: v.pipe(v.string(), v.regex(/^arn:[^/]+\/[^/]+\//)),
});

interface AuthorizerOptions {
  readonly store: TokenStore;
  readonly grants: Grants;
  readonly count: CountMetric;
  readonly now: () => Date;
}

/** The gateway turns an error with this message into 401, any other error into 500. */
const unauthorized = 'Unauthorized';

const headerPattern = new RegExp(authenticationHeaderPattern);

/**
 * Turns a token into a policy for all endpoints that it may use. The gateway caches the policy for all endpoints: a policy
 * for the requested endpoint alone would refuse the next request.
 */
export const createAuthorizer = ({ store, grants, count, now }: AuthorizerOptions) =>
  middy<unknown, APIGatewayAuthorizerResult>({ timeoutEarlyInMillis: timeoutReserve })
    .onError(({ error }) => {
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
        // The gateway hands it to the function. Encoded, since a cached context with a quote makes it fail:
        // https://github.com/mantil-io/mantil/issues/52
        context: { tokenName: encodeURIComponent(record.name) },
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
