import { afterAll, beforeEach, vi } from 'vitest';
import { getContact } from '../../functions/contacts/by-id.ts';
import { contactsTable } from '../../functions/contacts/contacts-table.ts';
import type { FileStore } from '../../functions/files/store-files.ts';
import { type FileTypeName, fileTypeNames } from '../../functions/files/type-names.ts';
import type { CheckCaptcha } from '../../functions/spam/defences.ts';
import { type ApiResponse, type Call, callerOf } from './call.ts';
import { type ContactsService, startContacts } from './contacts.ts';
import { type S3Server, startS3 } from './s3-server.ts';
import { client, createTable } from './tables.ts';

/** A file of a form, or the text of a field. */
type Value = File | string;

export interface FilesService extends ContactsService {
  readonly s3: S3Server;
  /** Posts `multipart/form-data` to the form `jobs`, which accepts files. */
  readonly submit: (
    fields: readonly (readonly [name: string, value: Value])[],
    headers?: Readonly<Record<string, string>>,
  ) => Promise<ApiResponse>;
  readonly get: Call;
}

/** What `FormData` makes of fields, as an event's body and its type. */
export const multipartOf = async (fields: readonly (readonly [name: string, value: Value])[]) => {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const request = new Response(form);
  return { type: String(request.headers.get('content-type')), body: await request.bytes() };
};

/** What the table of contact requests and the bucket are for. */
interface Settings extends Partial<Pick<FileStore, 'dailyBytes' | 'caughtDailyBytes' | 'timeoutAfter'>> {
  readonly accepted?: { readonly max?: number; readonly types?: FileTypeName[] };
  readonly required?: readonly string[];
  readonly scan?: boolean;
  readonly captcha?: CheckCaptcha;
  readonly now?: () => Date;
}

/** Serves the contact endpoints with a bucket, for the tests of a file. */
export const withS3 = (): { readonly start: (settings?: Settings) => Promise<FilesService> } => {
  const servers: S3Server[] = [];
  beforeEach(async () => {
    const server = await startS3();
    servers.push(server);
    vi.stubEnv('AWS_ENDPOINT_URL_S3', server.url);
  });
  afterAll(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
  });
  return {
    start: async ({
      accepted,
      required,
      captcha,
      scan = false,
      now = () => new Date('2026-03-01T12:00:00.000Z'),
      ...limits
    } = {}) => {
      const s3 = servers.at(-1);
      if (!s3) throw new Error('There is no server.');
      const table = await createTable(contactsTable);
      const timeoutAfter = (milliseconds: number) => AbortSignal.timeout(milliseconds);
      const files = {
        bucket: 'files',
        table,
        dailyBytes: 10_000_000,
        caughtDailyBytes: 1_000_000,
        timeoutAfter,
        ...limits,
      };
      const contacts = await startContacts(
        now,
        {
          files,
          captcha,
          forms: new Map([
            [
              'jobs',
              {
                files: { max: 5, types: [...fileTypeNames], ...accepted },
                ...(required && { required: [...required] }),
              },
            ],
          ]),
        },
        { client, table },
      );
      return {
        ...contacts,
        s3,
        submit: async (fields, headers) => {
          const { type, body } = await multipartOf([['form-name', 'jobs'], ...fields]);
          return contacts.create({ headers: { 'Content-Type': type, ...headers }, body });
        },
        get: callerOf(
          'GET /api/v1/contact/{id}',
          getContact({ store: contacts.store, files: { bucket: 'files', scan, timeoutAfter }, now }),
        ),
      };
    },
  };
};
