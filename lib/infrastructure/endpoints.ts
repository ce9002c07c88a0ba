import { campaignsTable } from '../../functions/campaigns/table.ts';
import type { CreateContactVariables } from '../../functions/contacts/create-variables.ts';
import type { ListVariables } from '../../functions/contacts/list-variables.ts';
import { contactsTable } from '../../functions/contacts/table.ts';
import type { MetricsVariables } from '../../functions/metrics.ts';
import type { Environment } from './settings.ts';
import { fullNameOf } from './stack-name.ts';
import type { TableAction, TableId } from './tables.ts';

/** An endpoint of the service (interface.md, section 4), with the function that answers it. */
export interface Endpoint {
  /** Names the function in the stack: another name is another function, with another log. */
  readonly id: string;
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT';
  readonly path: string;
  /** The handler that answers, by its file below functions/. */
  readonly handler: string;
  readonly description: string;
  /** What a token must be allowed to do here; none: the endpoint is public, and the only public one of its path. */
  readonly permission?: string;
  /** The one table that the function may use, and what it may do there. */
  readonly table: TableId;
  readonly actions: readonly TableAction[];
  /** The actions are for this index instead of the table itself. */
  readonly index?: string;
  /** The endpoint whose function is deployed before this one. */
  readonly after?: string;
  /** What the function is told besides its table's name. */
  readonly variables?: (environment: Environment) => Readonly<Record<string, unknown>>;
}

const metrics = (environment: Environment): MetricsVariables => ({ ENVIRONMENT: fullNameOf(environment) });

const list = ({ listShards }: Environment): ListVariables => ({ LIST_SHARDS: listShards });

/**
 * The endpoints, in the document's order. Gateway, functions, roles, throttles and permissions are made from these rows;
 * a test compares openapi.yaml with them.
 */
const rows = [
  {
    id: 'CreateContact',
    method: 'POST',
    path: '/api/v1/contact',
    handler: 'contacts/create',
    description: 'Stores a contact request',
    table: 'contacts',
    actions: ['PutItem'],
    // A new shard is read before anything is written to it.
    after: 'ListContacts',
    variables: (environment): CreateContactVariables => ({
      ...metrics(environment),
      ...list(environment),
      SITES: environment.sites,
      HONEYPOT_FIELDS: environment.honeypotField,
      RETENTION_DAYS: environment.retentionDays,
      EXTRA_FIELDS: environment.extraFields,
      ...((environment.silenceAlarm || environment.notifications) && { COUNTS_RECEIVED: true }),
    }),
  },
  {
    id: 'ListContacts',
    method: 'GET',
    path: '/api/v1/contact',
    handler: 'contacts/list',
    description: 'Lists contact requests, newest or oldest first',
    permission: 'contacts:read',
    table: 'contacts',
    actions: ['Query'],
    index: contactsTable.listIndex.name,
    variables: (environment) => ({ ...metrics(environment), ...list(environment) }),
  },
  {
    id: 'GetContact',
    method: 'GET',
    path: '/api/v1/contact/{id}',
    handler: 'contacts/get',
    description: 'Fetches a contact request',
    permission: 'contacts:read',
    table: 'contacts',
    actions: ['GetItem'],
  },
  {
    id: 'DeleteContact',
    method: 'DELETE',
    path: '/api/v1/contact/{id}',
    handler: 'contacts/delete',
    description: 'Deletes a contact request',
    permission: 'contacts:delete',
    table: 'contacts',
    actions: ['GetItem', 'DeleteItem'],
  },
  {
    id: 'ListCampaigns',
    method: 'GET',
    path: '/v1/campaigns',
    handler: 'campaigns/list',
    description: 'Lists campaigns by name',
    permission: 'campaigns:read',
    table: 'campaigns',
    actions: ['Query'],
    index: campaignsTable.listIndex.name,
    variables: metrics,
  },
  {
    id: 'GetCampaign',
    method: 'GET',
    path: '/v1/campaigns/{id}',
    handler: 'campaigns/get',
    description: 'Fetches a campaign',
    permission: 'campaigns:read',
    table: 'campaigns',
    actions: ['GetItem'],
  },
] as const satisfies readonly Endpoint[];

export type EndpointId = (typeof rows)[number]['id'];

export const endpoints: readonly (Endpoint & { readonly id: EndpointId })[] = rows;

/** The endpoints that need no token. */
export const publicEndpoints = endpoints.filter(({ permission }) => !permission);

/** What a token may be allowed to do. */
export const permissions: readonly string[] = [...new Set(endpoints.flatMap(({ permission }) => permission ?? []))];
