import stringWidth from 'string-width';
import { type StaffContact, staffContact } from '../../../functions/contacts/contact.ts';
import { listedAtOf } from '../../../functions/contacts/contacts-table.ts';
import { readContacts } from '../../../functions/contacts/manage-contacts.ts';
import { displayNameOf, emailForPeople, excerptOf } from '../../../functions/names/display-name.ts';
import { printable } from '../../shared/terminal-text.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';
import { type CommandIo, sayUnreadable } from '../tool/command-io.ts';
import { cut } from '../tool/text-table.ts';
import { type SelectionOptions, selectContacts } from './select-contacts.ts';

/** The name with the address where both fit into half a line. */
const whoOf = (contact: StaffContact, columns: number): string => {
  const name = printable(displayNameOf(contact) ?? 'A visitor');
  const email = printable(emailForPeople(contact) ?? '');
  const whole = `${name} <${email}>`;
  const hasBoth = email !== '' && email !== name;
  if (hasBoth && stringWidth(whole) <= columns / 2) return whole;
  return cut(name, Math.min(40, columns / 3));
};

/** Two lines, since a line of a terminal has no room for an id, a name and a message. */
export const entryOf = (contact: StaffContact, { columns, style }: Pick<CommandIo, 'columns' | 'style'>): string => {
  const { id, spamReason, answeredBy, site, form } = contact;
  const minute = `${listedAtOf(contact).slice(0, 16).replace('T', ' ')}Z`;
  const answered = answeredBy === undefined ? undefined : `answered by ${answeredBy}`;
  const given = [minute, id, spamReason, answered, site, form].filter((part) => part !== undefined);
  const name = whoOf(contact, columns);
  const content = cut(printable(excerptOf(contact) ?? ''), columns - stringWidth(name) - 4);
  return `${cut(given.map(printable).join('  '), columns)}\n  ${style('bold', name)}  ${content}\n`;
};

/** Why a list may be empty, and what to do. */
const emptyNote = (isSpam: boolean, isFiltered: boolean, unknownCampaign: string | undefined): string => {
  if (unknownCampaign !== undefined) {
    return `No campaign is called "${printable(unknownCampaign)}", and no contact request that matches came under it. To see all: npx --no-install crcs campaigns list --count`;
  }
  if (isSpam) return isFiltered ? 'No spam matches: use fewer filters.' : 'No contact request is marked as spam.';
  return isFiltered
    ? 'No contact request matches: use fewer filters, or add --spam to look in spam.'
    : 'No contact requests found: send your form, or add --spam to look in spam. If nothing arrives, see docs/troubleshooting.md#nothing-arrives.';
};

interface ListOptions extends SelectionOptions {
  readonly limit?: number | undefined;
}

/** Lists contact requests, newest first: as a table for programs, in two lines each for people. */
export const listContacts = async (
  environment: StaffEnvironment,
  { limit, ...options }: ListOptions,
  io: CommandIo,
): Promise<Result> => {
  const leaveOut = sayUnreadable(io, 'contact request');
  const { range, keeps, unknownCampaign } = await selectContacts(environment, options, io);
  const read = { keeps, limit, schema: staffContact, leaveOut, signal: io.signal };
  const pages = readContacts(environment.tables.contacts, range, read);
  const { triage: hasTriage = false } = environment.settings;
  let isEmpty = true;
  const shown = async function* <Shown>(show: (contact: StaffContact) => Shown) {
    for await (const page of pages) {
      isEmpty = false;
      yield page.map(show);
    }
  };
  const rowOf = (contact: StaffContact) => {
    const { spamReason = '', id, site = '', form = '', answeredBy = '' } = contact;
    const reason = range.spam ? [spamReason] : [];
    const answered = hasTriage ? [answeredBy] : [];
    const from = displayNameOf(contact) ?? '';
    return [listedAtOf(contact), id, ...reason, ...answered, from, site, form, excerptOf(contact) ?? ''];
  };
  const ofStaff = [...(range.spam ? ['REASON'] : []), ...(hasTriage ? ['ANSWERED BY'] : [])];
  const heads = ['TIME', 'ID', ...ofStaff, 'FROM', 'SITE', 'FORM', 'MESSAGE'];
  const entries = async function* () {
    for await (const page of shown((contact) => entryOf(contact, io))) yield page.join('');
  };
  const isFiltered = (range.since ?? range.until ?? keeps) !== undefined;
  return {
    json: pages,
    text: io.isTerminal ? entries() : { heads, rows: shown(rowOf) },
    status: () => (isEmpty ? emptyNote(range.spam, isFiltered, unknownCampaign) : undefined),
  };
};
