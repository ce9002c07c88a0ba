import { randomUUID } from 'node:crypto';
import { afterAll, inject, vi } from 'vitest';
import { campaignsTable } from '../../functions/campaigns/campaign.ts';
import { contactsTable } from '../../functions/contacts/contacts-table.ts';
import { createContactSettings } from '../../functions/forms/create-settings.ts';
import { fanOutSettings, notifySettings } from '../../functions/notify/notify-settings.ts';
import { toVariables } from '../../functions/shared/variables.ts';
import { authorizerSettings } from '../../functions/tokens/authorizer-settings.ts';
import { tokensTable } from '../../functions/tokens/token.ts';
import { keepLog } from './log.ts';

/** The prefix of the tables of entry files, which all test files of a worker share. */
const run = randomUUID();

keepLog();

// The test files of a worker share its process.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

// With FORCE_COLOR, what tests compare would have colours.
delete process.env['FORCE_COLOR'];

// The variables that the stack sets, so that tests can import the entry files of functions.
Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'eu-central-1',
  AWS_ENDPOINT_URL_DYNAMODB: inject('dynamoDbEndpoint'),
  [contactsTable.variable]: `contacts-${run}`,
  [campaignsTable.variable]: `campaigns-${run}`,
  [tokensTable.variable]: `tokens-${run}`,
  ...toVariables(createContactSettings, {
    environment: 'test',
    sites: [{ origin: 'https://www.example.com', language: 'en' }],
    spam: { traps: ['_gotcha'], requireTrap: false },
    extraFields: 'keep',
    countsReceived: true,
  }),
  ...toVariables(authorizerSettings, {
    environment: 'test',
    grants: [{ permission: 'campaigns:read', resource: 'GET/v1/campaigns' }],
  }),
  ...toVariables(fanOutSettings, { environment: 'test', queues: {} }),
  ...toVariables(notifySettings, { environment: 'test', targets: {} }),
});
