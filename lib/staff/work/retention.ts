import { expiryOf, toSeconds } from '../../../functions/contacts/contacts-table.ts';
import {
  type ExpiringContact,
  expiringContact,
  readAllContacts,
  setExpiry,
} from '../../../functions/contacts/manage-contacts.ts';
import { count, formatNumber } from '../../shared/terminal-text.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';
import { type CommandIo, sayUnreadable } from '../tool/command-io.ts';
import { writeEach } from '../tool/write-each.ts';

/**
 * Gives every contact request the expiry that a new one would get. Expired ones stay expired.
 * @param form only those of this form
 * @throws {StaffError} if nobody agrees
 */
export const applyRetention = async (
  environment: StaffEnvironment,
  form: string | undefined,
  io: CommandIo,
): Promise<Result> => {
  const { name, settings, tables } = environment;
  const ofForms = new Map(settings.retentionDaysOfForms);
  const daysOf = (sentBy: string | undefined): number | undefined =>
    (sentBy === undefined ? undefined : ofForms.get(sentBy)) ?? settings.retentionDays;
  const retentionDays = daysOf(form);
  const now = environment.now();
  const today = toSeconds(now);
  const others = form === undefined ? [...ofForms] : [];
  const forForm = (sentBy: string) => ` for the form ${JSON.stringify(sentBy)}`;
  const first = retentionDays === undefined ? 'no retentionDays' : `retentionDays ${formatNumber(retentionDays)}`;
  const setting = [
    first + (form === undefined ? '' : forForm(form)),
    ...others.map(([other, days]) => formatNumber(days) + forForm(other)),
  ].join(', ');
  const expires = retentionDays !== undefined || others.length > 0;
  await io.agree(
    `Apply this to all contact requests${form === undefined ? '' : ' of this form'}?`,
    `${name} has ${setting}: ${expires ? 'older contact requests will be deleted for good' : 'no contact request will expire'}.`,
  );

  const tally = { changed: 0, gone: 0, missed: 0 };
  const change = async (contact: ExpiringContact) => {
    if (form !== undefined && contact.form !== form) return;
    const days = daysOf(contact.form);
    const wanted = days === undefined ? undefined : toSeconds(expiryOf(new Date(contact.createdAt), days));
    if (contact.expiresAt === wanted) return;
    const isGone = wanted !== undefined && wanted <= today;
    // DynamoDB does not delete items that expired more than five years ago:
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html
    if (await setExpiry(tables.contacts, contact, isGone ? today : wanted)) {
      tally.changed += 1;
      if (isGone) tally.gone += 1;
    } else {
      tally.missed += 1;
    }
  };

  try {
    using progress = io.progress('contact request', 'read');
    const options = { schema: expiringContact, leaveOut: sayUnreadable(io, 'contact request'), signal: io.signal };
    let read = 0;
    await writeEach(readAllContacts(tables.contacts, { now }, options), io.signal, async (contact) => {
      await change(contact);
      read += 1;
      progress.report(read);
    });
  } catch (error) {
    io.say(`Changed ${count(tally.changed, 'contact request')} so far: run this again for the rest.`);
    throw error;
  }

  const { changed, gone, missed } = tally;
  if (missed > 0) io.say(`Skipped ${count(missed, 'contact request')} that changed meanwhile: run this again.`);
  const atOnce = gone > 0 ? `; ${formatNumber(gone)} of them expired at once` : '';
  return {
    json: {
      environment: name,
      retentionDays: retentionDays ?? null,
      forms: others.map(([other, days]) => ({ form: other, retentionDays: days })),
      ...tally,
    },
    text: `Changed ${count(changed, 'contact request')} in ${name}${atOnce}.\n`,
  };
};
