import * as v from 'valibot';
import { type Contact, fieldNames } from '../contacts/contact.ts';
import { withoutCase } from '../shared/text.ts';
import { noSite } from './target.ts';

/** What a target asks of the contact requests that it gets; absent: nothing. */
export const conditions = v.object({
  /** It gets spam, and nothing else. Other targets get no spam. */
  spam: v.optional(v.boolean()),
  /** Names of forms. */
  forms: v.optional(v.array(v.string())),
  /** Origins of sites, or `noSite`. */
  sites: v.optional(v.array(v.string())),
  /** Texts by the names of fields, as they are stored. Each field must hold one of its texts. */
  where: v.optional(v.record(v.string(), v.array(v.string()))),
  /** It gets what no target with another condition gets. */
  otherwise: v.optional(v.boolean()),
});

export type Conditions = Readonly<v.InferOutput<typeof conditions>>;

export type ConditionName = keyof Conditions;

interface Routed {
  readonly contact: Omit<Contact, 'id' | 'createdAt'>;
  readonly isSpam: boolean;
  /** A target gets it because of a condition, apart from `otherwise` and `spam`. */
  readonly isTaken: boolean;
}

/** The fields that are stored under our own names. All others are extra fields, even those that a form calls `site` or `form`. */
const ownFields = [...fieldNames, 'campaign'] as const;

/** Whether a field is stored under this name of ours, whatever the form calls it. */
export const isOwnField = (name: string): boolean => ownFields.some((own) => own === name);

const textsOf = ({ extra = {}, ...contact }: Routed['contact'], name: string): readonly string[] => {
  const own = ownFields.find((each) => each === name);
  if (own !== undefined) return [contact[own] ?? []].flat();
  return Object.hasOwn(extra, name) ? [extra[name] ?? []].flat() : [];
};

/** Each kind of condition. A contact request without a form or site meets no condition about it. */
const isMet: Readonly<Record<ConditionName, (conditions: Conditions, routed: Routed) => boolean>> = {
  spam: ({ spam = false }, { isSpam }) => spam === isSpam,
  forms: ({ forms }, { contact: { form = '' } }) => forms?.includes(form) ?? true,
  sites: ({ sites }, { contact: { site = noSite } }) => sites?.includes(site) ?? true,
  where: ({ where = {} }, { contact }) =>
    Object.entries(where).every(([name, texts]) => {
      const wanted = new Set(texts.map(withoutCase));
      return textsOf(contact, name).some((text) => wanted.has(withoutCase(text)));
    }),
  otherwise: ({ otherwise = false }, { isTaken }) => !(otherwise && isTaken),
};

export const conditionNames = v.keyof(conditions).options;

const unmetBy = (routed: Routed, given: Conditions): ConditionName | undefined =>
  conditionNames.find((name) => !isMet[name](given, routed));

/** The conditions that choose by what the contact request is. */
const choosing = conditionNames.filter((name) => name !== 'spam' && name !== 'otherwise');

const chooses = (given: Conditions): boolean => !given.otherwise && choosing.some((name) => given[name] !== undefined);

/**
 * Which targets get a contact request. `fan-out` asks this for each new one, `crcs notifications test --for` for one, and the
 * synthesis for the least that one can be.
 * @param targets the conditions of each target, by its name
 * @returns for each target, a condition that is not met; undefined if the target gets the contact request
 */
export const unmetConditions = (
  targets: ReadonlyMap<string, Conditions>,
  contact: Routed['contact'],
  isSpam: boolean,
): ReadonlyMap<string, ConditionName | undefined> => {
  const all = [...targets];
  const alone = { contact, isSpam, isTaken: false };
  const isTaken = all.some(([, given]) => chooses(given) && unmetBy(alone, given) === undefined);
  return new Map(all.map(([name, given]) => [name, unmetBy({ ...alone, isTaken }, given)]));
};
