import { expect, it, test } from 'vitest';
import { type ContactFields, type FieldName, fieldNames, sampleFields } from '../../functions/contacts/contact.ts';
import { displayNameOf } from '../../functions/names/display-name.ts';
import { formFields } from '../../functions/names/service-fields.ts';
import type { ApiResponse } from '../support/call.ts';
import { siteOrigin, startForms } from '../support/contacts.ts';
import type { RequestParts } from '../support/event.ts';
import { type CorpusForm, control, corpus, type FormField, otherLanguages } from './corpus.ts';
import { honestTexts } from './honest.ts';
import { spamWords } from './spam.ts';

/** No honest text of any corpus may be marked by what catches spam in spam.test.ts. */
const spam = { traps: [...formFields.traps], requireTrap: false, content: { links: 3, words: spamWords } };

/** What a visitor enters in a field that holds one of the fields, the whole name or the subject. */
const held: Readonly<Record<string, string>> = {
  ...sampleFields,
  name: 'Grace Hopper',
  subject: 'A boat',
};

/** What a visitor enters elsewhere, unless the page has a choice to offer. */
const entered: Readonly<Partial<Record<FormField['type'], string>>> = {
  email: 'charles@example.com',
  tel: '+44 20 7946 0123',
  number: '3',
  date: '2026-04-01',
  time: '10:30',
  textarea: 'Something else, in some words.',
  checkbox: 'on',
  radio: 'on',
  token: 'token',
};

const filled = ({ type, name, value, holds }: FormField, language: string): string => {
  if (type === 'trap' || type === 'hidden' || type === 'submit' || type === 'file') return value ?? '';
  if (type === 'text' && holds === undefined && /url|web|site|link/i.test(name)) return 'https://www.example.org/';
  const text = honestTexts[language] ?? honestTexts['en'];
  return value ?? (holds === 'message' ? text : holds && held[holds]) ?? entered[type] ?? 'A few words';
};

/** What browsers leave out while nothing is chosen. They send other blank fields. */
const optional: readonly FormField['type'][] = ['checkbox', 'radio', 'option'];

/** What the page sends without the visitor. */
const sentAnyway: readonly FormField['type'][] = ['hidden', 'token', 'submit', 'boolean'];

type Sent = readonly (readonly [field: FormField, value: string])[];

const filledIn = ({ fields, language }: CorpusForm): Sent => fields.map((field) => [field, filled(field, language)]);

const onlyRequired = ({ fields, language }: CorpusForm): Sent =>
  fields.flatMap((field): Sent => {
    if (field.required || field.preset || sentAnyway.includes(field.type)) return [[field, filled(field, language)]];
    return optional.includes(field.type) ? [] : [[field, '']];
  });

/** A file field without a file. */
const noFile = () => new File([], '', { type: 'application/octet-stream' });

const encoders: Readonly<Record<CorpusForm['encoding'], (sent: Sent) => RequestInit['body']>> = {
  urlencoded: (sent) => new URLSearchParams(sent.map(([{ name }, value]): [string, string] => [name, value])),
  multipart: (sent) => {
    const form = new FormData();
    for (const [{ type, name }, value] of sent) form.append(name, type === 'file' ? noFile() : value);
    return form;
  },
  json: (sent) =>
    new Blob(
      [JSON.stringify(Object.fromEntries(sent.map(([{ type, name }, value]) => [name, type === 'boolean' || value])))],
      { type: 'application/json' },
    ),
  'text/plain': (sent) => sent.map(([{ name }, value]) => `${name}=${value}\r\n`).join(''),
};

/** The request of a page of the site, with the headers of its form or script. */
const requestOf = async (form: CorpusForm, sent: Sent): Promise<RequestParts> => {
  const request = new Request(siteOrigin, { method: 'POST', body: encoders[form.encoding](sent) ?? null });
  return {
    headers: {
      'Content-Type': request.headers.get('Content-Type') ?? '',
      Accept: form.encoding === 'json' ? 'application/json' : 'text/html,application/xhtml+xml,*/*;q=0.8',
      Origin: siteOrigin,
      Referer: `${siteOrigin}/contact`,
    },
    body: await request.bytes(),
  };
};

/** The errors of a response, as its page or script reads them. */
const errorsIn = ({ status, text }: ApiResponse): string => {
  const errors = /<dl>.*<\/dl>/s.exec(text)?.[0] ?? text;
  return `${status} ${errors
    .replaceAll(/<[^>]*>|\s+/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()}`;
};

/** The fields of which every form says what holds them. */
const alwaysMarked: readonly FieldName[] = ['email', 'message'];

/** Where the stored fields differ from what was entered in the fields that hold them. */
const misplacedIn = (stored: ContactFields | undefined, sent: Sent): string[] =>
  fieldNames.flatMap((name) => {
    const [field, value] = sent.find(([{ holds }]) => holds === name) ?? [];
    if (!field && !alwaysMarked.includes(name)) return [];
    const expected = value?.replaceAll('\r\n', '\n') || undefined;
    return stored?.[name] === expected ? [] : [`${name}: ${stored?.[name]}, but ${field?.name ?? 'no field'} holds it`];
  });

const hasRequired = ({ fields }: CorpusForm) => fields.some(({ required }) => required);

/** Its address and its text are blank, and its visitor's name is called `guest`, which can be a number. */
const onlyGuest = 'erikdenboer/WeddingWebsite';

it.each([
  { which: 'every field', fill: filledIn, forms: corpus, refused: [] },
  {
    which: 'only its required fields',
    fill: onlyRequired,
    forms: corpus.filter(hasRequired),
    refused: [onlyGuest],
  },
])('accepts a form with $which filled in, and finds its fields', async ({ fill, forms, refused }) => {
  const { create, stored } = startForms({ spam });
  const failures: string[] = [];
  for (const form of forms) {
    const sent = fill(form);
    const response = await create(await requestOf(form, sent));
    const accepted = response.status === 201;
    const problems = accepted ? misplacedIn(stored.at(-1)?.fields, sent) : [errorsIn(response)];
    if (!refused.some((repository) => form.from.startsWith(`${repository} `)))
      failures.push(...problems.map((problem) => `${form.service}: ${form.from}\n    ${problem}`));
    else if (accepted) failures.push(`${form.service}: ${form.from}\n    is accepted, but listed as refused`);
  }
  expect(failures.length, `${failures.length} failures of ${forms.length} forms\n${failures.join('\n')}\n`).toBe(0);
  expect(stored.filter((each) => each.spam)).toEqual([]);
});

/** What an owner would miss in a stored contact request: a field elsewhere, or another name. */
const missedIn = (stored: ContactFields | undefined, sent: Sent): string[] => {
  const whole = sent.some(([{ holds }, value]) => holds === 'name' && value !== '');
  const shown = displayNameOf({ id: '', createdAt: '', ...stored });
  const unknown = whole && !shown?.includes('Grace Hopper') ? [`the visitor is called ${shown}`] : [];
  return [...misplacedIn(stored, sent), ...unknown];
};

it.each([
  ['other languages', otherLanguages],
  ['control samples', control],
])('accepts 98 % of the forms in %s, and stores 92 % as their owner expects', async (_, forms) => {
  const { create, stored } = startForms({ spam });
  const refused: string[] = [];
  const wrong: string[] = [];
  for (const form of forms) {
    const sent = filledIn(form);
    const response = await create(await requestOf(form, sent));
    const problems = response.status === 201 ? missedIn(stored.at(-1)?.fields, sent) : [errorsIn(response)];
    if (response.status !== 201) refused.push(form.from);
    if (problems.length > 0) wrong.push(`${form.language}: ${form.from}\n    ${problems.join('\n    ')}`);
  }
  const report = `${refused.length} refused, ${wrong.length} stored otherwise of ${forms.length}\n${wrong.join('\n')}\n`;
  expect(refused.length / forms.length, report).toBeLessThanOrEqual(0.02);
  expect(wrong.length / forms.length, report).toBeLessThanOrEqual(0.08);
  expect(stored.filter((each) => each.spam)).toEqual([]);
});

test('the honest texts are in more than twenty languages of the forms', () => {
  const languages = new Set([...corpus, ...otherLanguages, ...control].map(({ language }) => language));
  expect(Object.keys(honestTexts).filter((language) => languages.has(language)).length).toBeGreaterThan(20);
});
