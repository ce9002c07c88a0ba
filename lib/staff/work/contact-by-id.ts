import { changeContact } from '../../../functions/contacts/change.ts';
import { fieldNames, type StaffContact } from '../../../functions/contacts/contact.ts';
import { deleteIfThere, findContact, releaseContact } from '../../../functions/contacts/manage-contacts.ts';
import { english } from '../../../functions/languages/load.ts';
import { emailForPeople, extraForPeople } from '../../../functions/names/display-name.ts';
import { formatSize } from '../../../functions/notify/format-size.ts';
import { StaffError } from '../../shared/staff-error.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';
import { block, type Entry } from '../tool/text-table.ts';

const noContact = (id: string): string =>
  `There is no contact request ${id}: it was deleted, has expired, or is in another environment, which --env names.`;

/**
 * Finds a contact request that is shown.
 * @throws {StaffError} if there is none, it has expired, or its item is unreadable
 */
export const findShown = async (environment: StaffEnvironment, id: string) => {
  const found = await findContact(environment.tables.contacts, id);
  if (found.outcome === 'missing') throw new StaffError(noContact(id));
  if (found.outcome === 'unreadable') {
    throw new StaffError(`The contact request ${id} is unreadable: see docs/runbook.md#unreadable-items.`);
  }
  const { contact, expiresAt } = found;
  if (expiresAt && expiresAt <= environment.now()) {
    throw new StaffError(`The contact request ${id} expired at ${expiresAt.toISOString()} and is no longer shown.`);
  }
  return { contact, expiresAt };
};

/**
 * Shows a contact request. Its JSON is that of the API's lists; the text also has the expiry.
 * @throws {StaffError} as `findShown`
 */
export const showContact = async (environment: StaffEnvironment, id: string): Promise<Result> => {
  const { contact, expiresAt } = await findShown(environment, id);
  const { spamReason, answeredAt, answeredBy, ...fields } = contact;
  const entries: readonly (readonly [string, string | undefined])[] = [
    ['id', id],
    ['createdAt', fields.createdAt],
    ['releasedAt', fields.releasedAt],
    ['expires', expiresAt?.toISOString() ?? 'never'],
    ['spam', spamReason === undefined ? 'no' : `yes (${spamReason})`],
    ['answered', answeredAt && `${answeredAt}, ${answeredBy}`],
    ['site', fields.site],
    ['form', fields.form],
    ['campaign', fields.campaign],
    ...fieldNames.map((name) => [name, name === 'email' ? emailForPeople(contact) : fields[name]] as const),
  ];
  const given = entries.flatMap(([label, value]): Entry[] => (value === undefined ? [] : [[label, value]]));
  const others = extraForPeople(contact).map(([name, value]): Entry => [name, [value].flat().join('\n')]);
  const files = (fields.files ?? []).map(
    ({ name, type, size }): Entry => [name, `${type}, ${formatSize(size, english)}`],
  );
  const below = [
    ['extra', others],
    ['files', files],
  ] as const;
  const belowText = below.map(([label, entries]) => (entries.length > 0 ? `${label}\n${block(entries, '  ')}` : ''));
  return { json: contact, text: [block(given), ...belowText].join('') };
};

/**
 * Deletes a contact request for good, even an expired one.
 * @throws {StaffError} if there is none
 */
export const deleteContact = async ({ tables }: StaffEnvironment, id: string): Promise<Result> => {
  if (!(await deleteIfThere(tables.contacts, id))) throw new StaffError(noContact(id));
  return { json: { id }, text: `Deleted the contact request ${id} for good.\n` };
};

/** Releases contact requests from spam, or takes back a mark of staff. It fails if one of them is missing or no spam, but releases the others. */
export const releaseContacts = async ({ tables, now }: StaffEnvironment, ids: readonly string[]): Promise<Result> => {
  const released: { readonly id: string; readonly releasedAt?: string }[] = [];
  const errors: string[] = [];
  for (const id of ids) {
    // Each at its own time: scripts that read forward go back by a minute only.
    const result = await releaseContact(tables.contacts, id, now());
    if (result.outcome === 'released') released.push({ id, releasedAt: result.releasedAt });
    else if (result.outcome === 'restored') released.push({ id });
    else errors.push(result.outcome === 'missing' ? noContact(id) : `The contact request ${id} is not marked as spam.`);
  }
  return {
    json: [released],
    text: released
      .map(({ id, releasedAt }) =>
        releasedAt === undefined
          ? `Moved the contact request ${id} back to its place. Staff had marked it, so nobody is notified.\n`
          : `Released the contact request ${id} from spam.\n`,
      )
      .join(''),
    error: errors.length > 0 ? new StaffError(...errors) : undefined,
  };
};

/** Who has answered, by this command: it cannot know which person types it. A token has a name. */
const byCommand = 'crcs';

/**
 * Notes that contact requests are answered, or that they are not. It fails if one of them is missing, but changes the others.
 * @throws {StaffError} without triage
 */
export const answerContacts = async (
  { name, settings, tables, now }: StaffEnvironment,
  ids: readonly string[],
  isUndone: boolean,
): Promise<Result> => {
  if (!settings.triage) throw new StaffError(`"${name}" has no triage: set triage (see docs/settings.md) and deploy.`);
  const answered: Pick<StaffContact, 'id' | 'answeredAt' | 'answeredBy'>[] = [];
  const errors: string[] = [];
  for (const id of ids) {
    const result = await changeContact(tables.contacts, id, { answeredBy: isUndone ? false : byCommand }, now());
    if (result.outcome === 'missing') {
      errors.push(noContact(id));
      continue;
    }
    const { answeredAt, answeredBy } = result.contact;
    answered.push({ id, ...(answeredAt !== undefined && { answeredAt, answeredBy }) });
  }
  return {
    json: [answered],
    text: answered
      .map(({ id, answeredAt, answeredBy }) =>
        answeredAt === undefined
          ? `The contact request ${id} is not answered.\n`
          : `The contact request ${id} is answered: ${answeredAt}, ${answeredBy}.\n`,
      )
      .join(''),
    error: errors.length > 0 ? new StaffError(...errors) : undefined,
  };
};
