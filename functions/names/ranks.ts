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
