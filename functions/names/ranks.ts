/** How sure the name of a field is: the lower the rank, the sooner the field counts. */

/** The setting `fields` names it. */
export const configuredRank = -1;
/** The field's own name, exactly. */
export const exactRank = 0;
/** The same in another spelling: `E-Mail`, `fields[email]`. */
export const spelledRank = 1;
/** The same behind a word, which can change the meaning: `contact_email` can be a checkbox. */
export const behindWordRank = 2;
/** The first of a language's words; the others follow. */
export const otherRank = 3;
/** From here on, names can be somebody else's: they count only if the form sends no better one. */
export const doubtfulRank = 1000;

/** An address to reply to, as `spell` leaves it. Owners hide their own address there: find.ts says when it counts. */
export const replyTo = 'replyto';

/** Words that mean a phone number only as a whole name, and only if the value looks like one. */
export const numberWords: ReadonlySet<string> = new Set([
  'number',
  'contact',
  'contacto',
  'contato',
  'contatto',
  'kontak',
  'kontakt',
  'nomor',
  'numero',
]);

/** A name that can be the site's: it names the visitor only if no other field does, and makes no contact request by itself. */
export const ownersName = 'fromname';
