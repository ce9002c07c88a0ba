import { type FieldName, fieldNames } from '../contacts/contact.ts';
import type { ValueError } from '../http/errors.ts';
import { isBlank, type Parsed } from '../shared/text.ts';
import type { SentText } from './by-value.ts';
import {
  bestOf,
  type Candidate,
  candidateOf,
  fits,
  hasLines,
  isMeant,
  type MeantOptions,
  ruleOf,
  type SentField,
  surveyIn,
} from './candidate.ts';
import type { Meaning } from './dictionary.ts';
import { configuredRank, exactRank } from './ranks.ts';

export interface FindOptions extends MeantOptions {
  /** The names under which this form sends the fields: the setting `fields`. They come before all rules. */
  readonly fields?: Readonly<Partial<Record<FieldName, string>>> | undefined;
}

interface Taken {
  readonly name: string;
  readonly parsed: Parsed<string, ValueError>;
}

export interface FoundFields {
  /** What is filled in for each field, and the name under which it was sent. */
  readonly taken: ReadonlyMap<FieldName, Taken>;
  /** What the form calls the fields that it sends, filled in or not. */
  readonly names: ReadonlyMap<string, string>;
  /** Whether the form asks for the visitor's whole name, which stays an extra field, and whether it is filled in. */
  readonly name: 'not asked for' | 'blank' | 'filled in';
  /** The name of a field for a phone number that holds none, such as `none`. It stays an extra field. */
  readonly noNumber: string | undefined;
  /** No name means the address: it was found by its value. */
  readonly isEmailByValue: boolean;
  readonly isSubject: (name: string) => boolean;
  /** Everything else. */
  readonly others: readonly SentField[];
}

/** Of names other than the own ones, so many values are read. Thousands would take too long, and no form for people has as many. */
const maxValuesRead = 120;

/** The first fields that are read, and those with own names. */
export const firstOf = (sent: readonly SentField[], isOwn: (name: string) => boolean = () => false): SentField[] => {
  let left = maxValuesRead;
  return sent.filter(([name, value]) => {
    const count = Array.isArray(value) ? Math.max(value.length, 1) : 1;
    if (count > left) return isOwn(name);
    left -= count;
    return true;
  });
};

/** The texts of fields, those of repeated names, too. */
const textsIn = (sent: readonly SentField[]): SentText[] =>
  sent.flatMap(([name, value]) =>
    [value].flat().flatMap((text): SentText[] => (typeof text === 'string' && !isBlank(text) ? [[name, text]] : [])),
  );

const fieldOf = (name: string | undefined) => fieldNames.find((field) => field === name);

/** A form that sends no other names needs no dictionary, whose loading takes a while. */
const readingFor = async (names: readonly string[]) => {
  if (!names.every(fieldOf)) {
    const { readingOf } = await import('./reading.ts');
    return readingOf(names);
  }
  const meaningOf = (name: string): Meaning | undefined => {
    const of = fieldOf(name);
    return of && { of, word: of, rank: exactRank };
  };
  const nothing = () => undefined;
  return { meaningOf, hasAddress: () => false, byValue: { email: nothing, phone: nothing, message: nothing } };
};

type Reading = Awaited<ReturnType<typeof readingFor>>;

/** The fields of a form, of which one after the other is taken. */
const takeFrom = (sent: readonly SentField[]) => {
  const taken = new Map<FieldName, Taken>();
  const names = new Map<string, string>();
  /** By the names from which a value was taken. */
  const restOf = new Map<string, readonly unknown[]>();

  const others = (): SentField[] =>
    sent.flatMap(([name, value]): SentField[] => {
      const rest = restOf.get(name);
      if (rest === undefined) return [[name, value]];
      return rest.length === 0 ? [] : [[name, rest.length === 1 ? rest[0] : rest]];
    });

  const take = (field: FieldName, { name, best, rest }: Pick<Candidate, 'name' | 'best' | 'rest'>) => {
    names.set(field, name);
    if (!best) return;
    taken.set(field, { name, parsed: best.parsed });
    restOf.set(name, rest);
  };

  const takeText = (field: FieldName, found: SentText | undefined) => {
    const rule = ruleOf.get(field);
    if (!found || !rule) return;
    const [name, value] = found;
    const left = [others().find(([other]) => other === name)?.[1]].flat();
    take(field, { name, best: { value, parsed: rule(value) }, rest: left.filter((each) => each !== value) });
  };

  return { taken, names, others, take, takeText };
};

type Form = ReturnType<typeof takeFrom>;

/** Beside one half of a name, `name` is the other half (`nome` beside `cognome`), unless it holds that half, too. */
const otherHalfOf = (whole: Candidate, { taken, names }: Form): 'firstName' | 'lastName' | undefined => {
  if (!whole.best || !fits(whole.best) || whole.rest.length > 0) return undefined;
  const half = (['firstName', 'lastName'] as const).find((name) => taken.has(name));
  const other = half === 'firstName' ? 'lastName' : 'firstName';
  if (half === undefined || names.has(other)) return undefined;
  const known = taken.get(half)?.parsed;
  const holds = known && 'value' in known && String(whole.best.value).toLowerCase().includes(known.value.toLowerCase());
  return holds ? undefined : other;
};

/** Takes what no name tells. */
const takeByValue = (
  form: Form,
  { byValue, ...reading }: Reading,
  ownAddresses: readonly string[],
  isSurvey: boolean,
) => {
  const { names, takeText } = form;
  const meaningOf = (name: string) => reading.meaningOf(name)?.of;
  const texts = () => textsIn(firstOf(form.others()));
  if (!names.has('email')) takeText('email', byValue.email(texts(), ownAddresses));
  if (!names.has('phone')) {
    const unnamed = texts().filter(([name]) => [undefined, 'phone'].includes(meaningOf(name)));
    takeText('phone', byValue.phone(unnamed));
  }
  if (!names.has('message') && !isSurvey) {
    const unnamed = texts().filter(([name, text]) => {
      const of = meaningOf(name);
      return of === undefined || (of !== 'message' && hasLines(text));
    });
    takeText('message', byValue.message(unnamed));
  }
};

/** Finds the fields, whatever the form calls them. */
export const findFields = async (sent: readonly SentField[], options: FindOptions): Promise<FoundFields> => {
  const configured = new Map(Object.entries(options.fields ?? {}).map(([field, name]) => [name, field]));
  const read = firstOf(sent, (name) => configured.has(name) || fieldOf(name) !== undefined);
  const reading = await readingFor(read.map(([name]) => name));
  const known = read.flatMap((each) => {
    const field = fieldOf(configured.get(each[0]));
    const meaning = field ? { of: field, word: field, rank: configuredRank } : reading.meaningOf(each[0]);
    return meaning && meaning.of !== 'subject' ? [candidateOf(each, meaning)] : [];
  });
  const survey = surveyIn(known);
  let readAddress: boolean | undefined;
  const hasAddress = () => {
    readAddress ??= reading.hasAddress(textsIn(read));
    return readAddress;
  };
  const candidates = known.filter((each) => !survey.includes(each) && isMeant(each, options, hasAddress));

  const form = takeFrom(sent);
  for (const field of fieldNames) {
    const best = bestOf(field, candidates);
    if (best) form.take(field, best);
  }
  const named = bestOf('name', candidates);
  const whole = named?.orElse === "owner's name" ? undefined : named;
  const half = whole && otherHalfOf(whole, form);
  if (half) form.take(half, whole);
  const isEmailNamed = form.names.has('email');
  takeByValue(form, reading, options.ownAddresses ?? [], survey.length > 0);

  const noNumber = known.find(({ of, best }) => of === 'phone' && best && !fits(best))?.name;
  return {
    taken: form.taken,
    names: form.names,
    name: whole === undefined ? 'not asked for' : whole.best ? 'filled in' : 'blank',
    noNumber: form.taken.has('phone') ? undefined : noNumber,
    isEmailByValue: !isEmailNamed && form.taken.has('email'),
    isSubject: (name) => reading.meaningOf(name)?.of === 'subject',
    others: form.others(),
  };
};
