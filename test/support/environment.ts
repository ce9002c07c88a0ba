import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';

// What the stack gives to its functions, so that a handler's module can be imported: each composes itself then.
const run = randomUUID();

Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'eu-central-1',
  AWS_ENDPOINT_URL_DYNAMODB: inject('dynamoDbEndpoint'),
  // Nothing of a developer's own profile may reach the tests.
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  CONTACTS_TABLE: `contacts-${run}`,
  CAMPAIGNS_TABLE: `campaigns-${run}`,
  TOKENS_TABLE: `tokens-${run}`,
  SITE_ORIGINS: 'https://www.example.com https://shop.example.com',
  HONEYPOT_FIELD: 'website',
  ENVIRONMENT: 'test',
  ROUTES: JSON.stringify([
    { permission: 'contacts:read', route: 'GET/api/v1/contact' },
    { permission: 'contacts:read', route: 'GET/api/v1/contact/*' },
    { permission: 'contacts:delete', route: 'DELETE/api/v1/contact/*' },
    { permission: 'campaigns:read', route: 'GET/v1/campaigns' },
    { permission: 'campaigns:read', route: 'GET/v1/campaigns/*' },
  ]),
});
