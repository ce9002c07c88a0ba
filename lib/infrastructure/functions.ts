import { Duration } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { campaignsTable } from '../../functions/campaigns/table.ts';
import { contactsTable } from '../../functions/contacts/table.ts';
import type { HandlerName } from './bundle.ts';
import { routes } from './routes.ts';
import { ServiceFunction, type ServiceFunctionProps, type TableAccess } from './service-function.ts';
import type { Environment } from './settings.ts';
import type { Tables } from './tables.ts';

export type Functions = Readonly<Record<HandlerName, ServiceFunction>>;

export interface FunctionsProps {
  readonly environment: Environment;
  readonly tables: Tables;
  /** The folder with the bundles of all functions, as `bundleFunctions` leaves it. */
  readonly bundles: string;
}

/** Defines the seven functions, each with the one table that it may use and what it may do there. */
export const defineFunctions = (scope: Construct, { environment, tables, bundles }: FunctionsProps): Functions => {
  const define = (
    id: string,
    [table, access]: readonly ['campaigns' | 'contacts' | 'tokens', TableAccess],
    props: Omit<ServiceFunctionProps, 'bundles' | 'logRetention'>,
  ) => {
    const defined = new ServiceFunction(scope, id, {
      bundles,
      logRetention: environment.logRetentionDays,
      ...props,
    });
    defined.access(tables[table], access);
    return defined;
  };

  return {
    'contacts/create': define(
      'CreateContact',
      ['contacts', { variable: 'CONTACTS_TABLE', actions: ['PutItem', 'GetItem'] }],
      {
        handler: 'contacts/create',
        description: 'Stores a contact request',
        environment: {
          ENVIRONMENT: environment.name,
          SITE_ORIGINS: environment.siteOrigins.join(' '),
          HONEYPOT_FIELD: environment.honeypotField,
          ...(environment.thankYouUrl && { THANK_YOU_URL: environment.thankYouUrl }),
          ...(environment.retentionDays && { RETENTION_DAYS: String(environment.retentionDays) }),
        },
      },
    ),
    'contacts/list': define(
      'ListContacts',
      ['contacts', { variable: 'CONTACTS_TABLE', actions: ['Query'], index: contactsTable.listIndex.name }],
      { handler: 'contacts/list', description: 'Lists contact requests, newest first' },
    ),
    'contacts/get': define('GetContact', ['contacts', { variable: 'CONTACTS_TABLE', actions: ['GetItem'] }], {
      handler: 'contacts/get',
      description: 'Fetches a contact request',
    }),
    'contacts/delete': define('DeleteContact', ['contacts', { variable: 'CONTACTS_TABLE', actions: ['DeleteItem'] }], {
      handler: 'contacts/delete',
      description: 'Deletes a contact request',
    }),
    'campaigns/list': define(
      'ListCampaigns',
      ['campaigns', { variable: 'CAMPAIGNS_TABLE', actions: ['Query'], index: campaignsTable.listIndex.name }],
      { handler: 'campaigns/list', description: 'Lists campaigns by name' },
    ),
    'campaigns/get': define('GetCampaign', ['campaigns', { variable: 'CAMPAIGNS_TABLE', actions: ['GetItem'] }], {
      handler: 'campaigns/get',
      description: 'Fetches a campaign',
    }),
    authorizer: define('Authorizer', ['tokens', { variable: 'TOKENS_TABLE', actions: ['GetItem'] }], {
      handler: 'authorizer',
      description: 'Turns a token into the routes that it may use',
      timeout: Duration.seconds(5),
      environment: {
        // A resource of an execute-api policy, from the method on; `*` stands for a path parameter.
        ROUTES: JSON.stringify(
          routes.flatMap(({ method, path, permission }) =>
            permission ? [{ permission, route: `${method}${path.replaceAll(/\{\w+\}/g, '*')}` }] : [],
          ),
        ),
      },
    }),
  };
};
