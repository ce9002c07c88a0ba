import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { WriteStream } from 'node:tty';
import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { campaignsTable } from '../../functions/campaigns/campaign.ts';
import type { ContactFields, SpamReason } from '../../functions/contacts/contact.ts';
import { contactStore, type NewContact } from '../../functions/contacts/contact-store.ts';
import { contactsTable, listKeys } from '../../functions/contacts/contacts-table.ts';
import { tokensTable } from '../../functions/tokens/token.ts';
import { tablesOf } from '../../lib/shared/environment-tables.ts';
import { runStaff } from '../../lib/staff/cli.ts';
import { filesBucketIn } from '../../lib/staff/environment/files-bucket.ts';
import { openEnvironment } from '../../lib/staff/environment/open-environment.ts';
import { openLocal } from '../../lib/staff/environment/open-local.ts';
import type { Choice, StaffEnvironment } from '../../lib/staff/environment/staff-environment.ts';
import type { StaffContext } from '../../lib/staff/tool/command.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { environments } from '../support/environments.ts';
import { client, createTable, putAll } from '../support/tables.ts';

/** What `--env` may be. */
export const environmentNames: readonly string[] = ['local', ...Object.keys(environments)];

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The outcome of a command that only says what is wrong. */
export const refusal = (...told: readonly string[]): Outcome => ({
  code: 1,
  stdout: '',
  stderr: told.map((line) => `${line}\n`).join(''),
});

/** The output of a command that opens an environment, if the test forbids that. */
export const opened = 'Failed: An environment was opened\n';

const openNothing = () => Promise.reject(new Error('An environment was opened'));

/** Opens environments as the program does. */
export const openAsProgram: StaffContext['openEnvironment'] = (choice, environments) =>
  openEnvironment(environments, choice, openLocal);

interface ContextOptions extends Partial<Pick<StaffContext, 'signal' | 'wait' | 'loadSettings' | 'openEnvironment'>> {
  /** The typed text. @defaultValue nothing, and the input ends */
  readonly input?: string;
  /** Which of the streams are a terminal. @defaultValue none */
  readonly terminals?: readonly ('stdin' | 'stdout' | 'stderr')[];
  /** How wide a terminal is. @defaultValue it does not know */
  readonly columns?: number;
  /** Whether terminals show colours, unless a variable forbids it. @defaultValue false */
  readonly colours?: boolean;
  /** Whether standard output gets standard error, too, as on a terminal. @defaultValue false */
  readonly joined?: boolean;
}

export interface RunOptions extends ContextOptions {
  /** The time of the environment. @defaultValue `now` */
  readonly now?: Date;
  /** @defaultValue one that reaches the tables */
  readonly client?: DynamoDBDocumentClient;
  /** Called when the environment is opened. */
  readonly opening?: (choice: Choice) => void;
  /** Called when it is closed. */
  readonly closing?: () => void;
  /** @defaultValue none, as on `local` */
  readonly stack?: NonNullable<StaffEnvironment['stack']>;
  /** What only the service on this machine has. @defaultValue nothing */
  readonly local?: StaffEnvironment['local'];
  /** Staff can note that they have answered. @defaultValue false */
  readonly triage?: boolean;
  /** The bucket of files, and its endpoint. @defaultValue there is none */
  readonly bucket?: { readonly name: string; readonly url: string; readonly isServed?: boolean } | undefined;
  /** Files are scanned. @defaultValue false */
  readonly scansFiles?: boolean;
  /** Days after which contact requests are deleted. @defaultValue never */
  readonly retentionDays?: number | undefined;
  /** The same of forms, by name. @defaultValue as all */
  readonly retentionDaysOfForms?: [form: string, days: number][];
}

export interface StaffService {
  /** The names of the tables. */
  readonly tables: Readonly<Record<'campaigns' | 'contacts' | 'tokens', string>>;
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Outcome>;
  /** All items of the tables. */
  readonly everything: () => Promise<unknown>;
}

/** The time of every run that sets none. */
export const now = new Date('2026-03-01T12:00:00.000Z');

const scan = async (table: string) => (await client.send(new ScanCommand({ TableName: table }))).Items ?? [];

/** Runs the staff command with streams of the test. By default, it must not open an environment. */
export const runCommand = async (
  args: readonly string[],
  { input = '', terminals = [], columns = 0, colours = false, joined = false, ...context }: ContextOptions = {},
): Promise<Outcome> => {
  const stream = (name: 'stdin' | 'stdout' | 'stderr') =>
    Object.assign(new PassThrough(), {
      isTTY: terminals.includes(name),
      columns,
      // `CI` and other variables of the person who runs the tests would count, too.
      getColorDepth: ({ NO_COLOR } = process.env) =>
        colours ? WriteStream.prototype.getColorDepth({ TERM: 'xterm', ...(NO_COLOR && { NO_COLOR }) }) : 1,
    });
  const stdin = stream('stdin');
  const stdout = stream('stdout');
  const stderr = joined ? stdout : stream('stderr');
  stdin.end(input);
  const written = Promise.all([text(stdout), joined ? '' : text(stderr)]);
  const code = await runStaff(args, {
    stdin,
    stdout,
    stderr,
    loadSettings: async () => ({ file: 'environments.ts', environments }),
    wait: async () => {},
    openEnvironment: openNothing,
    signal: new AbortController().signal,
    ...context,
  });
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { code, stdout: out, stderr: err };
};

/** The staff command on `local`, with its own tables. */
export const startStaff = async (): Promise<StaffService> => {
  const keys = [contactsTable, campaignsTable, tokensTable];
  const [contacts = '', campaigns = '', tokens = ''] = await Promise.all(keys.map((each) => createTable(each)));
  const tables = { contacts, campaigns, tokens };
  return {
    tables,
    run: (args, options = {}) => {
      const { client: dynamodb = client, now: time = now } = options;
      const { stack, local, triage, scansFiles, bucket, retentionDays, retentionDaysOfForms, ...rest } = options;
      const { opening, closing, ...others } = rest;
      const environment: StaffEnvironment = {
        name: 'local',
        chosenBy: '--env local',
        ...(stack && { stack }),
        ...(local && { local }),
        outputs: {},
        settings: {
          version: packageJson.version,
          retainData: false,
          triage,
          scansFiles,
          retentionDays,
          retentionDaysOfForms,
        },
        tables: tablesOf(dynamodb, tables),
        dynamodb,
        files: filesBucketIn(
          { FilesBucket: bucket?.name },
          bucket?.isServed ?? true,
          (S3Client) => new S3Client({ ...(bucket && { endpoint: bucket.url }), region: 'eu-central-1' }),
        ),
        client: () => {
          throw new Error('There is no AWS');
        },
        now: () => new Date(time),
        [Symbol.asyncDispose]: async () => closing?.(),
      };
      const openEnvironment = async (choice: Choice) => {
        opening?.(choice);
        return environment;
      };
      return runCommand(args, { openEnvironment, ...others });
    },
    everything: () => Promise.all(Object.values(tables).map(scan)),
  };
};

/** The lines of a text that ends with a line break. */
export const lines = (output: string): string[] => output.split('\n').slice(0, -1);

interface StoreOptions extends Partial<Omit<NewContact, 'spam'>> {
  /** Why it is spam; `true` if that does not matter. @defaultValue it is not */
  readonly spam?: SpamReason | boolean;
}

/** Stores a contact request. @returns its id */
export const store = async (
  { tables }: Pick<StaffService, 'tables'>,
  fields: Partial<ContactFields>,
  { spam = false, ...options }: StoreOptions = {},
): Promise<string> => {
  const result = await contactStore(client, tables.contacts).create({
    fields: { message: 'Hello', ...fields },
    spam: spam === true ? 'trap' : spam,
    createdAt: now,
    ...options,
  });
  if (result.outcome === 'conflict') throw new Error('The key was used before.');
  return result.contact.id;
};

/** Stores many contact requests quickly, each a second older than the one before. @returns their ids */
export const storeMany = async (
  { tables }: Pick<StaffService, 'tables'>,
  amount: number,
  newest = now,
): Promise<string[]> => {
  const items = Array.from({ length: amount }, (_, at) => {
    const id = randomUUID();
    const createdAt = new Date(newest.getTime() - at * 1000).toISOString();
    return { id, createdAt, message: 'Hello', ...listKeys({ id, createdAt }, false) };
  });
  await putAll(tables.contacts, items);
  return items.map(({ id }) => id);
};
