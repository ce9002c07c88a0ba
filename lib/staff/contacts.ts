import { type Command, Option } from 'commander';
import * as v from 'valibot';
import { StaffError } from '../staff-error.ts';
import type { Definers } from './command.ts';
import { flag, limit, person, uuid } from './options.ts';
import { range, rangeOf, sinceOption, untilOption } from './range.ts';
import { campaignOption, formOption, siteOption, source, sourceFilter } from './source.ts';

// It loads the SDK, which --help does not need.
const loadContactTable = () => import('../tables/contact-table.ts');

const emailOption = new Option(
  '--email <address>',
  'email address, ignoring upper and lower case; - reads it from standard input',
);
const phoneOption = new Option('--phone <number>', 'phone number, compared by digits; - reads it from standard input');

const yesOption = new Option('--yes', 'do not ask');
const spamOption = new Option('--spam', 'only contact requests marked as spam');

const exampleId = '8f14e45f-ceea-467f-a0f1-6d6b3f1c2a10';

export const addContactCommands = (program: Command, { reads, writes }: Definers): void => {
  const contacts = program.command('contacts').description('Read, export, release and delete contact requests');

  reads(contacts, 'list', {
    description: 'Lists contact requests, newest first.',
    example: 'contacts list --since 7d --site https://www.example.com --env prod',
    options: [
      sinceOption,
      untilOption,
      spamOption,
      siteOption,
      formOption,
      campaignOption,
      new Option('--limit <number>', 'maximum number of results (default: all)'),
    ],
    values: v.object({ ...range, spam: flag, ...source, limit: v.optional(limit) }),
    run: async (environment, { limit, ...chosen }, io) => {
      const { listContacts } = await import('./show.ts');
      const range = rangeOf(environment, chosen);
      return listContacts(environment, range, { keeps: await sourceFilter(environment, chosen, io), limit }, io);
    },
  });

  reads(contacts, 'show <id>', {
    description: 'Shows a contact request with all its fields, its expiry and whether it is spam.',
    example: `contacts show ${exampleId} --env prod`,
    values: v.object({ id: uuid }),
    run: async (environment, { id }) => {
      const { showContact } = await import('./show.ts');
      return showContact(environment, id);
    },
  });

  writes(contacts, 'delete [id]', {
    description:
      'Deletes a contact request for good. With --spam and --since instead of an id, asks first, except with --yes, and deletes all spam received since then.',
    example: `contacts delete ${exampleId} --env prod`,
    options: [
      new Option('--spam', 'all contact requests marked as spam'),
      sinceOption,
      siteOption,
      formOption,
      campaignOption,
      yesOption,
    ],
    values: v.pipe(
      v.object({ id: v.optional(uuid), since: range.since, spam: flag, ...source, yes: flag }),
      v.check(
        ({ id, since, spam, site, form, campaign, yes }) =>
          id === undefined ? spam && since !== undefined : !(spam || since || site || form || campaign || yes),
        'Give an id, or --spam with --since.',
      ),
    ),
    run: async (environment, { id, ...chosen }, io) => {
      if (id === undefined) {
        const { deleteSpam } = await import('./delete-contacts.ts');
        const keeps = await sourceFilter(environment, chosen, io);
        return deleteSpam(environment, chosen.since?.(environment.now()), keeps, io);
      }
      const { deleteIfThere, noContact } = await loadContactTable();
      if (!(await deleteIfThere(environment.tables.contacts, id))) throw noContact(id);
      return { json: { id }, text: `Deleted the contact request ${id} for good.\n` };
    },
  });

  writes(contacts, 'release <id...>', {
    description: 'Moves contact requests from spam to the normal list. This sends notifications.',
    example: `contacts release ${exampleId} --env prod`,
    values: v.object({ id: v.array(uuid) }),
    run: async (environment, { id: ids }) => {
      const { releaseContact } = await loadContactTable();
      const released: { readonly id: string; readonly releasedAt: string }[] = [];
      const errors: string[] = [];
      for (const id of ids) {
        try {
          // Each at its own time: scripts that read forward go back by a minute only.
          const releasedAt = await releaseContact(environment.tables.contacts, id, environment.now());
          released.push({ id, releasedAt });
        } catch (error) {
          if (!(error instanceof StaffError)) throw error;
          errors.push(error.message);
        }
      }
      return {
        json: [released],
        text: released.map(({ id }) => `Released the contact request ${id} from spam.\n`).join(''),
        error: errors.length > 0 ? new StaffError(...errors) : undefined,
      };
    },
  });

  reads(contacts, 'export', {
    description:
      'Writes contact requests as CSV or JSON lines, newest first. CSV is safe to open in spreadsheets. --email or --phone limits it to one person, who is searched in every field but the message, and in the names of extra fields.',
    example: 'contacts export --since 7d --output contacts.csv --env prod',
    options: [
      sinceOption,
      untilOption,
      spamOption,
      siteOption,
      formOption,
      campaignOption,
      emailOption,
      phoneOption,
      new Option('--format <csv|jsonl>', 'CSV or JSON lines').default('csv', 'csv'),
      new Option('--output <file>', 'file to create or replace (default: standard output)'),
    ],
    values: v.object({
      ...range,
      spam: flag,
      ...source,
      ...person,
      format: v.picklist(['csv', 'jsonl'], 'Must be csv or jsonl.'),
      output: v.optional(v.pipe(v.string(), v.nonEmpty('Must name a file.'))),
    }),
    hasJson: false,
    run: async (environment, options, io) => {
      const { exportContacts } = await import('./export.ts');
      const range = rangeOf(environment, options);
      return exportContacts(
        environment,
        range,
        { ...options, keeps: await sourceFilter(environment, options, io) },
        io,
      );
    },
  });

  writes(contacts, 'erase', {
    description:
      'Deletes every contact request of a person for good, including spam. Searches every field but the message, and the names of extra fields. Asks first, except with --yes.',
    example: 'contacts erase --email - --env prod',
    options: [emailOption, phoneOption, yesOption],
    values: v.pipe(
      v.object(person),
      v.check(({ email, phone }) => email !== undefined || phone !== undefined, 'Give --email, --phone or both.'),
    ),
    run: async (environment, person, io) => {
      const { erasePerson } = await import('./erase.ts');
      return erasePerson(environment, person, io);
    },
  });

  writes(contacts, 'apply-retention', {
    description:
      'Applies the deployed retentionDays to stored contact requests. Those older than retentionDays expire at once. Without retentionDays, expiry is removed. Asks first, except with --yes.',
    example: 'contacts apply-retention --env prod',
    options: [yesOption],
    values: v.object({}),
    run: async (environment, _, io) => {
      const { applyRetention } = await import('./retention.ts');
      return applyRetention(environment, io);
    },
  });
};
