import { CfnOutput, Duration, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { campaignsTable } from '../functions/campaigns/table.ts';
import { contactsTable } from '../functions/contacts/table.ts';
import { Api } from './api.ts';
import type { HandlerName } from './bundle.ts';
import type { Environment } from './environments.ts';
import { routes } from './routes.ts';
import { ServiceFunction, type ServiceFunctionProps, type TableAccess } from './service-function.ts';
import { Tables } from './tables.ts';

export interface ServiceStackProps extends StackProps {
  readonly environment: Environment;
  /** The folder with the bundles of all functions, as `bundleFunctions` leaves it. */
  readonly bundles: string;
}

/** The service in one environment. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { environment, bundles, ...props }: ServiceStackProps) {
    super(scope, id, { description: `Contact Request and Campaign Service, ${environment.name}`, ...props });

    const tables = new Tables(this, 'Tables', { retainData: environment.retainData });

    const define = (
      functionId: string,
      [table, access]: readonly [keyof Tables & ('campaigns' | 'contacts' | 'tokens'), TableAccess],
      functionProps: Omit<ServiceFunctionProps, 'bundles' | 'logRetention'>,
    ) => {
      const defined = new ServiceFunction(this, functionId, {
        bundles,
        logRetention: environment.logRetentionDays,
        ...functionProps,
      });
      defined.access(tables[table], access);
      return defined;
    };

    const functions: Record<HandlerName, ServiceFunction> = {
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
      'contacts/delete': define(
        'DeleteContact',
        ['contacts', { variable: 'CONTACTS_TABLE', actions: ['DeleteItem'] }],
        {
          handler: 'contacts/delete',
          description: 'Deletes a contact request',
        },
      ),
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

    const { restApi } = new Api(this, 'Api', { environment, functions });

    new CfnOutput(this, 'BaseUrl', {
      value: Fn.join('', [
        'https://',
        restApi.restApiId,
        '.execute-api.',
        this.region,
        '.',
        this.urlSuffix,
        '/',
        environment.name,
      ]),
    });
    new CfnOutput(this, 'ContactsTable', { value: tables.contacts.tableName });
    new CfnOutput(this, 'CampaignsTable', { value: tables.campaigns.tableName });
    new CfnOutput(this, 'TokensTable', { value: tables.tokens.tableName });
  }
}
