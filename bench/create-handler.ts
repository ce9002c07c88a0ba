import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { CreateContactVariables } from '../functions/contacts/create.ts';
import { contactsTable } from '../functions/contacts/table.ts';
import { createDocumentClient } from '../functions/shared/dynamodb.ts';
import { toVariables } from '../functions/shared/variables.ts';
import { lambdaContext, proxyEvent } from '../test/support/event.ts';
import { withDynalite } from './store.ts';

/** The handler that creates contact requests, on a store in a process of its own. */
export interface CreateHandler {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  /** Posts a body. @returns the status */
  readonly post: (contentType: string, body: string | Buffer) => Promise<number>;
}

export const withCreateHandler = <Result>(use: (create: CreateHandler) => Promise<Result>): Promise<Result> =>
  withDynalite(async () => {
    // It makes its client as it is loaded, and the client knows then where its store is.
    const { createTable } = await import('../test/support/tables.ts');
    const table = await createTable(contactsTable);
    Object.assign(process.env, {
      [contactsTable.variable]: table,
      ...toVariables({
        ENVIRONMENT: 'bench',
        SITES: [],
        SPAM_TRAPS: ['_gotcha'],
        EXTRA_FIELDS: 'keep',
      } satisfies CreateContactVariables),
    });
    const { handler } = await import('../functions/create-contact.ts');
    return use({
      client: createDocumentClient(),
      table,
      post: async (contentType, body) => {
        const event = proxyEvent('POST /api/v1/contact', { headers: { 'Content-Type': contentType }, body });
        return (await handler(event, lambdaContext())).statusCode;
      },
    });
  });
