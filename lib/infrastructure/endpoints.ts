import { campaignsTable } from '../../functions/campaigns/campaign.ts';
import { contactsTable } from '../../functions/contacts/contacts-table.ts';
import { counterUpdates } from '../../functions/files/counters.ts';
import type { TableId } from '../shared/environment-tables.ts';
import type { Environment } from './settings.ts';
import type { ActionAttributes, TableAction } from './tables.ts';

/** The actions on objects of the bucket of files that functions can be granted. */
export type ObjectAction = 'DeleteObject' | 'GetObject' | 'GetObjectTagging' | 'PutObject';

/** An endpoint of the service (interface.md, section 4), with the function that responds to it. */
export interface Endpoint {
  /** The function's id in the stack. A new id creates a new function, with a new log. */
  readonly id: string;
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST';
  readonly path: string;
  /** The file in functions/, without its extension. */
  readonly handler: string;
  readonly description: string;
  /** The permission that a token needs. Absent: the endpoint is public. A path can have one public endpoint. */
  readonly permission?: string;
  /** The one table that the function may use. */
  readonly table: TableId;
  readonly actions: readonly TableAction[];
  /** The actions are granted for this index instead of the table. */
  readonly index?: string;
  /** An action can read or write only these attributes of an item. @defaultValue all */
  readonly attributes?: ActionAttributes;
  /** Only environments with triage have it. */
  readonly isOfTriage?: true;
  /** Replaces `handler` in environments where the function reads this secret, so that the others do not load the client. */
  readonly withSecret?: (environment: Environment) => { readonly handler: string; readonly secret: string } | undefined;
  /** What else the function may do in environments with files. */
  readonly withFiles?: {
    /** With objects of the bucket. */
    readonly objects: readonly ObjectAction[];
    /** With these attributes of items of its table that have such ids. */
    readonly updates?: { readonly ids: readonly string[]; readonly attributes: readonly string[] };
  };
  /** The function counts items that it cannot read. */
  readonly countsUnreadable?: true;
}

const captchaHandler = 'create-contact-with-captcha';

/**
 * The endpoints, in the document's order: the source of methods, functions, roles, throttles and permissions. A test compares
 * openapi.yaml with them.
 */
const rows = [
  {
    id: 'CreateContact',
    method: 'POST',
    path: '/api/v1/contact',
    handler: 'create-contact',
    description: 'Stores a contact request',
    table: 'contacts',
    actions: ['PutItem'],
    withFiles: { objects: ['PutObject'], updates: counterUpdates },
    withSecret: ({ spam: { captcha } }) => captcha && { handler: captchaHandler, secret: captcha.secret },
  },
  {
    id: 'ListContacts',
    method: 'GET',
    path: '/api/v1/contact',
    handler: 'list-contacts',
    description: 'Lists contact requests, newest or oldest first',
    permission: 'contacts:read',
    table: 'contacts',
    actions: ['Query'],
    index: contactsTable.listIndex.name,
    countsUnreadable: true,
  },
  {
    id: 'GetContact',
    method: 'GET',
    path: '/api/v1/contact/{id}',
    handler: 'get-contact',
    description: 'Fetches a contact request',
    permission: 'contacts:read',
    table: 'contacts',
    actions: ['GetItem'],
    withFiles: { objects: ['GetObject', 'GetObjectTagging'] },
  },
  {
    id: 'DeleteContact',
    method: 'DELETE',
    path: '/api/v1/contact/{id}',
    handler: 'delete-contact',
    description: 'Deletes a contact request',
    permission: 'contacts:delete',
    table: 'contacts',
    actions: ['GetItem', 'DeleteItem'],
    attributes: { GetItem: contactsTable.readByDelete, DeleteItem: contactsTable.readByDelete },
  },
  {
    id: 'UpdateContact',
    method: 'PATCH',
    path: '/api/v1/contact/{id}',
    handler: 'update-contact',
    description: 'Marks or releases a contact request, or notes that it is answered',
    permission: 'contacts:write',
    table: 'contacts',
    actions: ['GetItem', 'UpdateItem'],
    attributes: { UpdateItem: [contactsTable.partitionKey, ...contactsTable.writtenByStaff] },
    isOfTriage: true,
  },
  {
    id: 'ListCampaigns',
    method: 'GET',
    path: '/v1/campaigns',
    handler: 'list-campaigns',
    description: 'Lists campaigns by name',
    permission: 'campaigns:read',
    table: 'campaigns',
    actions: ['Query'],
    index: campaignsTable.listIndex.name,
    countsUnreadable: true,
  },
  {
    id: 'GetCampaign',
    method: 'GET',
    path: '/v1/campaigns/{id}',
    handler: 'get-campaign',
    description: 'Fetches a campaign',
    permission: 'campaigns:read',
    table: 'campaigns',
    actions: ['GetItem'],
  },
] as const satisfies readonly Endpoint[];

export type EndpointId = (typeof rows)[number]['id'];

/** The endpoints that an environment can have. */
export const endpoints: readonly (Endpoint & { readonly id: EndpointId })[] = rows;

/** The endpoints that an environment has. */
export const endpointsOf = ({ triage }: Pick<Environment, 'triage'>): typeof endpoints =>
  endpoints.filter(({ isOfTriage }) => triage || !isOfTriage);

/** The endpoints that need no token. */
export const publicEndpoints = endpoints.filter(({ permission }) => !permission);

/** The permissions of tokens. */
export const permissions: readonly string[] = [...new Set(endpoints.flatMap(({ permission }) => permission ?? []))];

/** The functions that a client waits for, by their files in functions/. */
export const apiHandlers: readonly string[] = [...endpoints.map(({ handler }) => handler), 'authorizer'];

/** The functions of notifications: an environment without targets has none of them. */
export const notificationHandlers: readonly string[] = ['fan-out', 'notify'];

/** The function that deletes files: an environment without files has none. */
export const deleteFilesHandler = 'delete-files';

/** The functions of confirmations. */
export const confirmationHandlers: readonly string[] = ['confirm', 'stop-confirmations'];

/** All functions, by their files in functions/. */
export const handlerNames: readonly string[] = [
  ...apiHandlers,
  captchaHandler,
  ...notificationHandlers,
  ...confirmationHandlers,
  deleteFilesHandler,
];

/**
 * The memory of a function that a client waits for, in MB. Lambda allots CPU in proportion, which a cold start needs
 * (docs/decisions.md).
 */
export const memorySize = 1_024;
