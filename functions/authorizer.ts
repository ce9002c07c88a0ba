import { createDocumentClient } from './shared/dynamodb.ts';
import { embeddedMetrics } from './shared/metrics.ts';
import { prime } from './shared/prime.ts';
import { readTableName, readVariables } from './shared/variables.ts';
import { createAuthorizer } from './tokens/authorizer.ts';
import { authorizerSettings } from './tokens/authorizer-settings.ts';
import { tokenPrefix, tokensTable } from './tokens/token.ts';
import { tokenStore } from './tokens/token-store.ts';

const now = () => new Date();

const { environment, grants } = readVariables(authorizerSettings);

export const handler = createAuthorizer({
  store: tokenStore(createDocumentClient(), readTableName(tokensTable)),
  grants,
  count: embeddedMetrics(environment, now),
  now,
});

export const primed = prime(handler, {
  authorizationToken: `${tokenPrefix}${'0'.repeat(43)}`,
  methodArn: 'arn:start/start/',
});
