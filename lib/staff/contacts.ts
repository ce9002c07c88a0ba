import type { Command } from 'commander';
import * as v from 'valibot';
import type { Contact } from '../../functions/contacts/contact.ts';
import type { ContactRange } from '../../functions/contacts/store.ts';
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
      'Must have scheme and host, as in https://www.example.com.',
    ),
    v.transform((text) => new URL(text).origin),
  ),
);

const range = { since: v.optional(time), until: v.optional(time), spam: flag, site };

type RangeOptions = Omit<v.InferOutput<v.ObjectSchema<typeof range, undefined>>, 'site'>;

/** @throws {StaffError} if the range is empty */
const rangeOf = ({ environment }: Staff, options: RangeOptions): ContactRange => {
  const now = environment.now();
  const [since, until] = [options.since?.(now), options.until?.(now)];
  if (since !== undefined && until !== undefined && until <= since)
    throw new StaffError('--until must be later than --since.');
  return { since, until, spam: options.spam, now };
};

const sinceOption = ['--since <time>', 'from this time on: a time, a date (UTC), or how long ago, such as 7d'] as const;
const untilOption = ['--until <time>', 'before this time'] as const;
const siteOption = ['--site <origin>', 'posted by this site, such as https://www.example.com'] as const;
const emailOption = [
  '--email <address>',
  'of this email address, in any case; - reads it from the standard input',
] as const;
const phoneOption = [
  '--phone <number>',
  'of this phone number, by its digits; - reads it from the standard input',
] as const;

const id = '8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10';

const deleteOne = async (staff: Staff, id: string, json: boolean): Promise<void> => {
  const { deleteContact, tableOf } = await load();
  await deleteContact(tableOf(staff), id);
  if (json) await printJson(staff, { id });
  else staff.stdout.write(`Deleted the contact request ${id} for good.\n`);
};

interface SpamOptions extends Omit<RangeOptions, 'until'> {
  readonly site?: string | undefined;
  readonly yes: boolean;
  readonly json: boolean;
}

const withSite = v.object({ id: v.string(), site: v.optional(v.unknown()) });

/** Deletes spam for good. @throws {StaffError} if nobody agrees */
const deleteSpam = async (staff: Staff, { site, yes, json, ...chosen }: SpamOptions): Promise<void> => {
  const { deleteAll, readContacts } = await load();
  const { now: _, ...range } = rangeOf(staff, chosen);
  const ids: string[] = [];
  await withProgress(staff, ['contact request', 'found'], async (report) => {
    const pages = readContacts(staff, range, {
      schema: withSite,
      keeps: site === undefined ? undefined : (item) => item.site === site,
      leaveOut: sayUnreadable(staff, 'contact request'),
      report,
    });
    for await (const page of pages) ids.push(...page.map(({ id }) => id));
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
  const now = staff.environment.now();
  const released: { readonly id: string; readonly releasedAt: string }[] = [];
  const mistakes: string[] = [];
  for (const id of ids) {
    try {
      released.push({ id, releasedAt: await releaseContact(tableOf(staff), id, now) });
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
  const contacts = program
    .command('contacts')
    .description('list, show, delete, release, export, erase, apply-retention');

  contacts
    .command('list')
    .description('Lists contact requests, newest first.')
    .option(...sinceOption)
    .option(...untilOption)
    .option('--spam', 'only those marked as spam')
    .option(...siteOption)
    .option('--limit <number>', 'how many at most')
    .option(...jsonOption)
    .addHelpText('after', example('contacts list --since 7d --site https://www.example.com --env prod'))
    .action(
      reads(
        v.object({ ...range, limit: v.optional(limit), json: flag }),
        async (staff, { site, limit, json, ...chosen }) => {
          const { listContacts } = await import('./show.ts');
          const keeps = site === undefined ? undefined : (contact: Contact) => contact.site === site;
          await listContacts(staff, rangeOf(staff, chosen), { keeps, limit, json });
        },
      ),
    );

  contacts
    .command('show <id>')
    .description('Shows a contact request: all fields, whether it is spam, when it expires.')
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
      'Deletes a contact request for good. With --spam and --since, it deletes all spam from that time on, and asks first, unless --yes.',
    )
    .option('--spam', 'everything marked as spam')
    .option(...sinceOption)
    .option(...siteOption)
    .option('--yes', 'delete spam without a question')
    .option(...jsonOption)
    .addHelpText('after', example(`contacts delete ${id} --env prod`))
    .action(
      writes(
        v.pipe(
          v.object({ id: v.optional(uuid), since: range.since, spam: flag, site, yes: flag, json: flag }),
          v.check(
            ({ id, since, spam, site, yes }) =>
              id === undefined ? spam && since !== undefined : !(spam || since || site || yes),
            'Give an id, or --spam with --since.',
          ),
        ),
        (staff, { id, json, ...options }) =>
          id === undefined ? deleteSpam(staff, { ...options, json }) : deleteOne(staff, id, json),
      ),
    );

  contacts
    .command('release <id...>')
    .description('Releases contact requests from spam: they enter the normal list now, and trigger notifications.')
    .option(...jsonOption)
    .addHelpText('after', example(`contacts release ${id} --env prod`))
    .action(writes(v.object({ id: v.array(uuid), json: flag }), (staff, { id, json }) => release(staff, id, json)));

  contacts
    .command('export')
    .description(
      'Writes contact requests, newest first, as CSV that is safe in spreadsheets, or as JSON. With --email or --phone, it writes those of one person.',
    )
    .option(...sinceOption)
    .option(...untilOption)
    .option('--spam', 'only those marked as spam')
    .option(...siteOption)
    .option(...emailOption)
    .option(...phoneOption)
    .option('--format <csv|jsonl>', 'CSV, or JSON with one contact request a line', 'csv')
    .option('--output <file>', 'file to write or replace (default: standard output)')
    .addHelpText('after', example('contacts export --since 7d --output contacts.csv --env prod'))
    .action(
      reads(
        v.object({
          ...range,
          ...person,
          format: v.picklist(['csv', 'jsonl'], 'Must be csv or jsonl.'),
          output: v.optional(v.pipe(v.string(), v.nonEmpty('Must name a file.'))),
        }),
        async (staff, { since, until, spam, ...options }) => {
          const { exportContacts } = await import('./export.ts');
          await exportContacts(staff, rangeOf(staff, { since, until, spam }), options);
        },
      ),
    );

  contacts
    .command('erase')
    .description(
      'Deletes every contact request of a person for good. It also searches spam and extra fields. Asks first, unless --yes.',
    )
    .option(...emailOption)
    .option(...phoneOption)
    .option('--yes', 'erase without a question')
    .option(...jsonOption)
    .addHelpText('after', example('contacts erase --email - --env prod'))
    .action(
      writes(
        v.pipe(
          v.object({ ...person, yes: flag, json: flag }),
          v.check(
            ({ email, phone }) => email !== undefined || phone !== undefined,
            'Name a person by --email or --phone.',
          ),
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
      'Applies the deployed retentionDays to the contact requests that are already stored; older ones are deleted. Asks first, unless --yes.',
    )
    .option('--yes', 'change them without a question')
    .option(...jsonOption)
    .addHelpText('after', example('contacts apply-retention --env prod'))
    .action(
      writes(v.object({ yes: flag, json: flag }), async (staff, options) => {
        const { applyRetention } = await import('./retention.ts');
        await applyRetention(staff, options);
      }),
    );
};
