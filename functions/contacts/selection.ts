import * as v from 'valibot';
import { cleanText, withoutCase } from '../shared/text.ts';
import { email } from './contact.ts';

/** The fields by which contact requests can be selected. */
export const selectingNames = ['form', 'site', 'campaign', 'email'] as const;

/** Of some fields, the text that a selected contact request has, or texts of which it has one, in any case. */
export type Selection = Readonly<
  Partial<Record<(typeof selectingNames)[number], string | readonly string[] | undefined>>
>;

/** What is selected by. What is no text is unreadable. */
export type Selectable = Readonly<Partial<Record<(typeof selectingNames)[number] | 'answeredAt', unknown>>>;

type IsSelected = (contact: Selectable) => boolean;

const hasText = (name: (typeof selectingNames)[number], given: string | readonly string[]): IsSelected => {
  const texts = new Set([given].flat().map(withoutCase));
  return ({ [name]: value }) => typeof value === 'string' && texts.has(withoutCase(value));
};

/**
 * @param answered only what staff have answered, or only the rest
 * @returns whether a contact request is selected; undefined if all are
 */
export const selectedBy = (selection: Selection, answered?: boolean): IsSelected | undefined => {
  const conditions = selectingNames.flatMap((name) => {
    const texts = selection[name];
    return texts === undefined ? [] : [hasText(name, texts)];
  });
  if (answered !== undefined) conditions.push(({ answeredAt }) => (answeredAt !== undefined) === answered);
  return conditions.length === 0 ? undefined : (contact) => conditions.every((isMet) => isMet(contact));
};

/** What list-contacts reads from variables, besides what all functions for staff do. */
export const listSettings = v.object({
  /** The environment has triage, so the list can be selected by `answered`. */
  triage: v.optional(v.boolean(), false),
});

/** The name of a form or a campaign, as it is stored. */
const name = v.pipe(v.string(), v.transform(cleanText), v.nonEmpty('Use a name, or leave this parameter out.'));

/** The URL of a page or a site, parsed to the origin, as it is stored. */
export const originOfSite = v.pipe(
  v.string(),
  v.check(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'Use a scheme and a host, such as https://www.example.com.',
  ),
  v.transform((text) => new URL(text).origin),
);

// An unescaped plus sign in a URL arrives as a blank.
const addressMessage = 'Use an email address, such as name@example.com; in a URL, + is %2B.';

/** An address, parsed as it is stored. */
const address = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const parsed = email(dataset.value);
    if ('value' in parsed) return parsed.value;
    addIssue({ message: addressMessage });
    return NEVER;
  }),
);

/** The query parameters of a selection. Each can come several times: of a campaign, forms send the id or the name. */
export const selectionParameters = {
  form: v.optional(v.array(name)),
  site: v.optional(v.array(originOfSite)),
  campaign: v.optional(v.array(name)),
  email: v.optional(v.array(address)),
};
