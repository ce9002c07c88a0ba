import { type Command, Option } from 'commander';
import * as v from 'valibot';
import type { ContactRange } from '../../functions/contacts/store.ts';
import { nameOfForm } from '../infrastructure/schemas.ts';
import type { Actions, Staff } from './command.ts';
import { example, flag, jsonOption, limit, person, time, uuid } from './options.ts';
import { printJson, printJsonList, sayUnreadable, withProgress } from './output.ts';
import { agree } from './questions.ts';
import { StaffError } from './staff-error.ts';
import { count } from './text.ts';

// It loads the SDK, which --help does not need.
const load = () => import('./contact-table.ts');

/** A site, parsed to its origin. */
const site = v.optional(
  v.pipe(
    v.string(),
    v.check(
      (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
      'Must have a scheme and a host, such as https://www.example.com.',
    ),
    v.transform((text) => new URL(text).origin),
  ),
);

const source = { site, form: v.optional(nameOfForm) };

type Source = v.InferOutput<v.ObjectSchema<typeof source, undefined>>;

/** A filter for what a site or a form sent; undefined if neither is given. */
const sourceFilter = ({ site, form }: Source) =>
  site === undefined && form === undefined
    ? undefined
    : (contact: { readonly site?: unknown; readonly form?: unknown }) =>
        (site === undefined || contact.site === site) && (form === undefined || contact.form === form);

const range = { since: v.optional(time), until: v.optional(time), spam: flag };

type RangeOptions = v.InferOutput<v.ObjectSchema<typeof range, undefined>>;

/** @throws {StaffError} if the range is empty */
const rangeOf = ({ environment }: Staff, options: RangeOptions): ContactRange => {
  const now = environment.now();
  const [since, until] = [options.since?.(now), options.until?.(now)];
  if (since !== undefined && until !== undefined && until <= since)
    throw new StaffError('--until must be later than --since.');
  return { since, until, spam: options.spam, now };
};

const sinceOption = ['--since <time>', 'received at or after: a time, a UTC date, or an age such as 7d'] as const;
const untilOption = ['--until <time>', 'received before (same formats as --since)'] as const;
const siteOption = ['--site <origin>', 'only from this site, such as https://www.example.com'] as const;
const formOption = ['--form <name>', 'only from the form with this name'] as const;
const emailOption = [
  '--email <address>',
  'email address, ignoring upper and lower case; - reads it from standard input',
] as const;
const phoneOption = ['--phone <number>', 'phone number, compared by digits; - reads it from standard input'] as const;

const id = '8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10';

const deleteOne = async (staff: Staff, id: string, json: boolean): Promise<void> => {
  const { deleteContact, tableOf } = await load();
  await deleteContact(tableOf(staff), id);
  if (json) await printJson(staff, { id });
  else staff.stdout.write(`Deleted the contact request ${id} for good.\n`);
};

interface SpamOptions extends Omit<RangeOptions, 'until'>, Source {
  readonly yes: boolean;
  readonly json: boolean;
}

const withSource = v.object({ id: v.string(), site: v.optional(v.unknown()), form: v.optional(v.unknown()) });

/** Deletes spam for good. @throws {StaffError} if nobody agrees */
const deleteSpam = async (staff: Staff, { yes, json, ...chosen }: SpamOptions): Promise<void> => {
  const { deleteAll, readContacts } = await load();
  const { now: _, ...range } = rangeOf(staff, chosen);
  const ids: string[] = [];
  await withProgress(staff, ['contact request', 'found'], async (report) => {
    const pages = readContacts(staff, range, {
      schema: withSource,
      keeps: sourceFilter(chosen),
      leaveOut: sayUnreadable(staff, 'contact request'),
    });
    for await (const page of pages) {
      ids.push(...page.map(({ id }) => id));
      report(ids.length);
    }
  });
  staff.stderr.write(`Found ${count(ids.length, 'contact request')} marked as spam.\n`);
  if (ids.length > 0 && !yes) await agree(staff, 'Delete for good?');
  const { deleted, left, failure } = await deleteAll(staff, ids, { onlySpam: true });
  if (json) await printJson(staff, { found: ids.length, deleted: deleted.length, left });
  else staff.stdout.write(`Deleted ${count(deleted.length, 'contact request')} for good.\n`);
  if (failure) throw failure;
};

/** Releases each of them. @throws {StaffError} a line for each that it cannot release */
const release = async (staff: Staff, ids: readonly string[], json: boolean): Promise<void> => {
  const { releaseContact, tableOf } = await load();
  const released: { readonly id: string; readonly releasedAt: string }[] = [];
  const mistakes: string[] = [];
  for (const id of ids) {
    try {
      // Each at its own time: scripts that read forward go back by a minute only.
      released.push({ id, releasedAt: await releaseContact(tableOf(staff), id, staff.environment.now()) });
    } catch (error) {
      if (!(error instanceof StaffError)) throw error;
      mistakes.push(error.message);
    }
  }
  if (json) await printJsonList(staff, [released]);
  else for (const { id } of released) staff.stdout.write(`Released the contact request ${id} from spam.\n`);
  if (mistakes.length > 0) throw new StaffError(...mistakes);
};

export const addContactCommands = (program: Command, { reads, writes }: Actions): void => {
  const contacts = program.command('contacts').description('Read, export, release and delete contact requests');

  contacts
    .command('list')
    .description('Lists contact requests, newest first.')
    .option(...sinceOption)
    .option(...untilOption)
    .option('--spam', 'only contact requests marked as spam')
    .option(...siteOption)
    .option(...formOption)
    .option('--limit <number>', 'maximum number of results (default: all)')
    .option(...jsonOption)
    .addHelpText('after', example('contacts list --since 7d --site https://www.example.com --env prod'))
    .action(
      reads(
        v.object({ ...range, ...source, limit: v.optional(limit), json: flag }),
        async (staff, { limit, json, ...chosen }) => {
          const { listContacts } = await import('./show.ts');
          await listContacts(staff, rangeOf(staff, chosen), { keeps: sourceFilter(chosen), limit, json });
        },
      ),
    );

  contacts
    .command('show <id>')
    .description('Shows a contact request with all its fields, its expiry and whether it is spam.')
    .option(...jsonOption)
    .addHelpText('after', example(`contacts show ${id} --env prod`))
    .action(
      reads(v.object({ id: uuid, json: flag }), async (staff, { id, json }) => {
        const { showContact } = await import('./show.ts');
        await showContact(staff, id, json);
      }),
    );

  contacts
    .command('delete [id]')
    .description(
      'Deletes a contact request for good. With --spam and --since instead of an id, asks first, except with --yes, and deletes all spam received since then.',
    )
    .option('--spam', 'all contact requests marked as spam')
    .option(...sinceOption)
    .option(...siteOption)
    .option(...formOption)
    .option('--yes', 'do not ask')
    .option(...jsonOption)
    .addHelpText('after', example(`contacts delete ${id} --env prod`))
    .action(
      writes(
        v.pipe(
          v.object({ id: v.optional(uuid), since: range.since, spam: flag, ...source, yes: flag, json: flag }),
          v.check(
            ({ id, since, spam, site, form, yes }) =>
              id === undefined ? spam && since !== undefined : !(spam || since || site || form || yes),
            'Give an id, or --spam with --since.',
          ),
        ),
        (staff, { id, json, ...options }) =>
          id === undefined ? deleteSpam(staff, { ...options, json }) : deleteOne(staff, id, json),
      ),
    );

  contacts
    .command('release <id...>')
    .description('Moves contact requests from spam to the normal list. This sends notifications.')
    .option(...jsonOption)
    .addHelpText('after', example(`contacts release ${id} --env prod`))
    .action(writes(v.object({ id: v.array(uuid), json: flag }), (staff, { id, json }) => release(staff, id, json)));

  contacts
    .command('export')
    .description(
      'Writes contact requests as CSV or JSON lines, newest first. CSV is safe to open in spreadsheets. --email or --phone limits it to one person.',
    )
    .option(...sinceOption)
    .option(...untilOption)
    .option('--spam', 'only contact requests marked as spam')
    .option(...siteOption)
    .option(...formOption)
    .option(...emailOption)
    .option(...phoneOption)
    .addOption(new Option('--format <csv|jsonl>', 'CSV or JSON lines').default('csv', 'csv'))
    .option('--output <file>', 'file to create or replace (default: standard output)')
    .addHelpText('after', example('contacts export --since 7d --output contacts.csv --env prod'))
    .action(
      reads(
        v.object({
          ...range,
          ...source,
          ...person,
          format: v.picklist(['csv', 'jsonl'], 'Must be csv or jsonl.'),
          output: v.optional(v.pipe(v.string(), v.nonEmpty('Must name a file.'))),
        }),
        async (staff, options) => {
          const { exportContacts } = await import('./export.ts');
          await exportContacts(staff, rangeOf(staff, options), { ...options, keeps: sourceFilter(options) });
        },
      ),
    );

  contacts
    .command('erase')
    .description(
      'Deletes every contact request of a person for good, including spam and matches in extra fields. Messages are not searched. Asks first, except with --yes.',
    )
    .option(...emailOption)
    .option(...phoneOption)
    .option('--yes', 'do not ask')
    .option(...jsonOption)
    .addHelpText('after', example('contacts erase --email - --env prod'))
    .action(
      writes(
        v.pipe(
          v.object({ ...person, yes: flag, json: flag }),
          v.check(({ email, phone }) => email !== undefined || phone !== undefined, 'Give --email, --phone or both.'),
        ),
        async (staff, { email, phone, ...options }) => {
          const { erasePerson } = await import('./erase.ts');
          await erasePerson(staff, { email, phone }, options);
        },
      ),
    );

  contacts
    .command('apply-retention')
    .description(
      'Applies the deployed retentionDays to stored contact requests. Those older than retentionDays expire at once. Without retentionDays, expiry is removed. Asks first, except with --yes.',
    )
    .option('--yes', 'do not ask')
    .option(...jsonOption)
    .addHelpText('after', example('contacts apply-retention --env prod'))
    .action(
      writes(v.object({ yes: flag, json: flag }), async (staff, options) => {
        const { applyRetention } = await import('./retention.ts');
        await applyRetention(staff, options);
      }),
    );
};
