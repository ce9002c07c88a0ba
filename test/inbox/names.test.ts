import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Contact } from '../../functions/contacts/contact.ts';
import { allWords } from '../../functions/languages/languages.ts';
import {
  displayNameOf,
  emailForPeople,
  excerptOf,
  extraForPeople,
  extraMeaning,
  firstVisible,
} from '../../functions/names/display-name.ts';
import * as inbox from '../../inbox/names.js';
import { corpus } from '../forms/corpus.ts';

const least = { id: '5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11', createdAt: '2026-03-01T12:00:00.000Z' };

/** What emails and the staff command show, after a check that the inbox shows the same. */
const shownOf = (fields: Partial<Contact>) => {
  const contact = { ...least, ...fields };
  const shown = {
    name: displayNameOf(contact),
    subject: firstVisible(extraMeaning(contact, 'subject').flat()),
    excerpt: excerptOf(contact),
    extra: extraForPeople(contact),
  };
  const inInbox = {
    name: inbox.displayNameOf(contact),
    subject: inbox.subjectIn(contact),
    excerpt: inbox.excerptOf(contact),
    extra: inbox.extraForPeople(contact),
  };
  expect(inInbox, JSON.stringify(fields)).toEqual(shown);
  return shown;
};

const ada = 'Ada Byron';
const email = 'ada@example.com';

it.each<readonly [fields: Partial<Contact>, name: string | undefined]>([
  [{ firstName: 'Ada', lastName: 'Byron', email }, ada],
  [{ firstName: 'Ada', extra: { Nom: 'Byron' } }, ada],
  [{ lastName: 'Byron', extra: { Nombre: 'Ada' } }, ada],
  [{ firstName: 'Ada', extra: { name: ada } }, ada],
  [{ firstName: 'Ada', lastName: 'Byron', extra: { name: 'Lovelace' } }, ada],
  [{ email, extra: { Name: ['Ada', 'Ada', ' ', 'Byron'] } }, ada],
  [{ email, extra: { Nom: ' ', name: ada } }, ada],
  [{ email, extra: { 'Full name': 'Ada', name: ada } }, ada],
  [{ email, extra: { from_name: 'The site', name: ada } }, ada],
  [{ email, extra: { 'Nombre y apellidos': ada } }, ada],
  [{ email, extra: { nama_pemesan: ada } }, ada],
  [{ email, extra: { your_nombre_completo: 'Ada', 'Vor- und Nachname': ada } }, ada],
  [{ email, extra: { quick_form_name: 'Ada', 'your-name': ada } }, ada],
  [{ email, extra: { yourname: ada } }, ada],
  [{ email, extra: { 'name-text*': ada } }, ada],
  [{ email, extra: { name2: ada } }, ada],
  [{ email, extra: { お問い合わせのお名前: ada } }, ada],
  [{ email, extra: { 'Jméno a příjmení': ada } }, ada],
  [{ email, extra: { client_name: ada } }, ada],
  [{ email, extra: { client_name: 'Grace', 'your-topic': 'Tea' } }, email],
  [{ email, extra: { ご友人のお名前: 'Grace' } }, email],
  [
    {
      email,
      extra: {
        'Company name': 'Engines',
        'Booking \u05e9\u05dd': '7',
        pet_name: 'Rex',
        surname_at_birth: 'King',
        friend_name: 'Grace',
        fromname: 'The site',
      },
    },
    email,
  ],
  [{ email, extra: { from_name: 'The site', 'first name': 'Grace', ['name '.repeat(30)]: 'Grace' } }, 'The site'],
  [{ email: 'ada@xn--mnchen-3ya.xn--mgbh0fb' }, 'ada@münchen.مثال'],
  [{ phone: '555', extra: { topic: 'An order' } }, '555'],
  // Invisible letters and an invisible symbol.
  [{ firstName: '\u3164\u200b', lastName: '\u2800\uffa0', phone: '555' }, '555'],
  [{}, undefined],
])('calls the visitor of %o %s', (fields, name) => {
  expect(shownOf(fields).name).toBe(name);
});

it.each<readonly [fields: Partial<Contact>, excerpt: string | undefined]>([
  [{ message: 'Hello', extra: { note: 'Some other words' } }, 'Hello'],
  [{ message: '\u3164', extra: { note: 'Some words' } }, 'Some words'],
  [{ extra: { size: 'L', topic: 'An order', wish: 'Two cups of tea' } }, 'An order'],
  [{ extra: { size: 'L', wishes: ['Tea', 'Two cups'] } }, 'Two cups'],
  [{ extra: { size: 'L', 要望: 'お茶をください' } }, 'お茶をください'],
  [{ extra: { link: 'https://example.com/a b', agent: 'Mozilla/5.0 (X11)', wish: 'Two cups' } }, 'Two cups'],
  [{ extra: { _next: 'a page elsewhere', Action: 'send a mail', utm_term: 'some tea', wish: 'Two cups' } }, 'Two cups'],
  [{ extra: { 'your-name': ada, size: 'L' } }, 'L'],
  [{ extra: { topic: 'An order', size: 'L' } }, 'An order'],
  [{ email, company: 'Engines', extra: { action: 'drnhatchau_contact', name: ada, Name: 'Grace Hopper' } }, email],
  [{ email, phone: '555', extra: { size: ' ' } }, '555'],
  [{ email, company: 'Engines' }, 'Engines'],
  [{ email: 'ada@xn--mnchen-3ya.example', lastName: 'Byron' }, 'ada@münchen.example'],
  [{ email, extra: { _next: 'https://www.example.com/thanks' } }, undefined],
])('shows of %o, where there is little room, %s', (fields, excerpt) => {
  expect(shownOf(fields).excerpt).toBe(excerpt);
});

it('shows hidden fields after those that visitors see', () => {
  const extra = {
    utf8: '\u2713',
    _wpcf7_x: '1',
    size: 'L',
    op: 'Send',
    authenticity_token: 'x',
    colours: ['red', 'blue'],
  };
  const names = shownOf({ extra }).extra.map(([name]) => name);
  expect(names).toEqual(['size', 'colours', 'utf8', '_wpcf7_x', 'op', 'authenticity_token']);
});

it.each([['Betreff'], ['your-subject'], ['件名'], ['_subject']])('finds the subject of a reply in %s', (name) => {
  expect(shownOf({ extra: { size: 'L', [name]: 'An order' } }).subject).toBe('An order');
});

/** A text for each name, which tells which one is shown. */
const extraOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `Text in ${name}`]));

it('reads the names of real forms as the service does', () => {
  const forms = corpus.map(({ fields }) => fields.map(({ name }) => name));
  for (const names of forms) shownOf({ extra: extraOf(names) });
  for (const name of new Set(forms.flat())) shownOf({ email, extra: extraOf([name]) });
});

it.each(allWords.map((words, at) => [words.name[0], words, allWords[at - 1]?.name ?? []] as const))(
  'reads the words in the language of "%s" as the service does',
  (_, words, otherNames) => {
    for (const [at, word] of Object.values(words).flat().entries()) {
      shownOf({ extra: extraOf([word]) });
      shownOf({ extra: extraOf([`your-${word}`, `${word} name`]) });
      shownOf({ extra: extraOf([word, ...otherNames.slice(at % 8, (at % 8) + 1)]) });
    }
  },
);

it.each<readonly [fields: Partial<Contact>, below: string[]]>([
  [{ firstName: 'Ada', extra: { Nom: 'Byron', topic: 'Tea' } }, ['topic']],
  [{ extra: { name: ['Ada', 'Ada', 'Byron'], 'your-name': 'Grace' } }, ['your-name']],
  [{ firstName: 'Ada', lastName: 'Byron', extra: { name: ada, nickname: 'Ada' } }, ['nickname']],
  [{ firstName: 'Ada', lastName: 'Byron', extra: { name: 'Lovelace' } }, ['name']],
  [{ extra: { subject: 'An order', topic: 'An order', Betreff: 'Another' } }, ['Betreff']],
  [{ extra: { subject: ['An order', 'A question'] } }, ['subject']],
])('shows no name and no subject twice: %j', (fields, below) => {
  expect(inbox.extraBelow({ ...least, ...fields }).map(([name]) => name)).toEqual(below);
});

it.each([
  ['+49 30 1234 / 0171 555', '+49301234'],
  ['020 7946 0958 ext. 12', '02079460958'],
  ['0171 555 (ab 17 Uhr)', '0171555'],
  ['+44 (0)20 7946 0018', '+442079460018'],
  ['(+44) 20 7946-0018', '+442079460018'],
  ['Tel.: 0049/30.901820', '004930901820'],
  ['030 / 123456', '030123456'],
  ['+49 37421 / 1234', '+49374211234'],
  ['555 0100 x12', '5550100'],
  ['555 0100 #12', '5550100'],
  ['555 0100#', '5550100'],
  ['112', '112'],
  ['020 7946 0018 / 020 7946 0019', '02079460018'],
  ['212-555-0100 / 917-555-0101', '2125550100'],
  ['555-0100, 555-0101', '5550100'],
  ['+442079460018 +442079460019', '+442079460018'],
])('dials %s by %s', (phone, number) => {
  expect(inbox.telTo(phone)).toBe(`tel:${number}`);
});

// Commands to the network, an extension alone, and too many digits.
it.each(['#31#', '##002#', '#31#5550100', '*100#', 'x12345', 'ext. 12345', '12 x345', '01 23 45 67 89 06 12 34 56 78'])(
  'dials nothing by %s',
  (phone) => {
    expect(inbox.telTo(phone)).toBe('');
  },
);

/** Letters of one script: the DNS has no name of several writing directions. */
const label = fc.oneof(
  ...['äöüß', 'абвгдежз', 'あいう漢字', 'بتثجح', '💩☃'].map((letters) =>
    fc.string({
      unit: fc.constantFrom(...letters, ...(/^[äа]/.test(letters) ? 'xyz-' : '')),
      minLength: 1,
      maxLength: 15,
    }),
  ),
);

it('shows international addresses as emails do', () => {
  let count = 0;
  fc.assert(
    fc.property(label, label, (one, other) => {
      const domain = domainToASCII(`${one}.${other}.example`);
      fc.pre(domain.includes('xn--'));
      count += 1;
      const email = `ada@${domain}`;
      expect(inbox.emailForPeople({ email })).toBe(emailForPeople({ email }));
    }),
  );
  expect(count).toBeGreaterThan(50);
  for (const email of ['ada@xn--', 'ada@xn--a-999999999999.example', 'ada@xn--99999.example'])
    expect(inbox.emailForPeople({ email })).toBe(email);
});
