import { createDocumentClient } from './shared/dynamodb.ts';
import { embeddedMetrics } from './shared/metrics.ts';
import { prime } from './shared/prime.ts';
import { readTableName, readVariables } from './shared/variables.ts';
import { type AuthorizerOptions, createAuthorizer } from './tokens/authorizer.ts';
import { authorizerSettings } from './tokens/authorizer-settings.ts';
import { tokenPrefix, tokensTable } from './tokens/token.ts';
import { tokenStore } from './tokens/token-store.ts';

const now = () => new Date();

const { environment, grants } = readVariables(authorizerSettings);

const options: AuthorizerOptions = {
  store: tokenStore(createDocumentClient(), readTableName(tokensTable)),
  grants,
  count: embeddedMetrics(environment, now),
  now,
};

export const handler = createAuthorizer(options);

export const primed = prime(createAuthorizer({ ...options, count: () => {} }), {
  authorizationToken: `${tokenPrefix}${'0'.repeat(43)}`,
  methodArn: 'arn:start/start/',
});
