import { describe, expect, it } from 'vitest';
import { en } from '../../../functions/languages/en.ts';
import { startContacts } from '../../support/contacts.ts';

const email = 'ada@example.com';

const { emailOrPhone, message, oneOfSeveral, other } = en.errors.required;

type Missing = readonly (readonly [field: string, message: string])[];

/** Expects that the service accepts the fields, or asks for those that are missing. */
const expectMissing = async (
  fields: object,
  missing: Missing,
  settings?: Parameters<typeof startContacts>[1],
): Promise<void> => {
  const { status, body } = await (await startContacts(undefined, settings)).post(fields);
  const details = missing.map(([field, text]) => ({ field, code: 'required', message: text }));
  expect({ status, details: Object(body).details }).toEqual(
    missing.length === 0 ? { status: 201 } : { status: 400, details },
  );
};

describe('a form that has some of the six fields', () => {
  it.each([
    [{ email, message: '' }, []],
    [{ message: 'Hello' }, []],
    [{ phone: '555 0100', email: '', message: '' }, []],
    [{ company: 'Example' }, []],
    [{ comments: 'Hello', Email: '' }, []],
    [{ email: '' }, [['email', other]]],
    [{ phone: ' ' }, [['phone', other]]],
    [{ message: ' \n' }, [['message', message]]],
    [
      { message: '', phone: null, email: [] },
      [
        ['email', oneOfSeveral],
        ['message', oneOfSeveral],
      ],
    ],
    [
      { Message: '', 'fields[email]': '', Vorname: '' },
      [
        ['fields[email]', oneOfSeveral],
        ['Message', oneOfSeveral],
        ['Vorname', oneOfSeveral],
      ],
    ],
    [{ number: '150', email: '' }, [['email', other]]],
    [{ quickFormName: 'Ada', 'quick-form-email': '' }, [['quick-form-email', other]]],
    [{ _replyto: '' }, [['_replyto', other]]],
    [{ email: '', topic: 'An order' }, [['email', other]]],
  ] satisfies [object, Missing][])('of %j lacks %j', expectMissing);
});

describe('a form that has none of the six fields', () => {
  const nothing: Missing = [
    ['email', oneOfSeveral],
    ['message', oneOfSeveral],
  ];

  it.each([
    [{ name: 'Ada' }, []],
    [{ name: 'Ada', hotel: '' }, []],
    [{ mail: 'yes' }, []],
    [{ topic: ['', 'tea'] }, []],
    [{}, nothing],
    [{ name: ' ', topic: ['', null] }, nothing],
    [{ subject: 'An order', _subject: 'An order', Subject: 'An order' }, nothing],
    [{ 'form-name': 'newsletter', campaign: 'Spring', Campaign_ID: '1', utm_source: 'mail', utm_term: 'x' }, nothing],
    [{ UTM_Campaign: 'x'.repeat(201) }, nothing],
    [
      { access_key: '4711', from_name: 'Website', _next: 'thanks', redirect: 'https://www.example.com/', _gotcha: '' },
      nothing,
    ],
    [{ _proof: '1.x', 'idempotency-key': 'k', 'g-recaptcha-response': 'x' }, nothing],
  ] satisfies [object, Missing][])('of %j lacks %j', expectMissing);

  it("needs one of the six with extraFields: 'ignore'", () =>
    expectMissing({ name: 'Ada', mail: 'yes' }, nothing, { extraFields: 'ignore' }));

  it('is asked on a page to fill in the form, without fields that it does not have', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
    const { status, text } = await (await startContacts()).create({ headers, body: 'name=+&topic=' });
    expect(status).toBe(400);
    expect(text).toContain(en.refusal.fillIn);
    expect(text).not.toContain('<dt');
  });
});

describe('the setting required', () => {
  const settings = {
    required: ['message', 'email|phone'],
    forms: new Map([
      ['newsletter', { required: ['email'] }],
      ['offer', { required: ['topic', 'message', 'email|phone', 'email'] }],
      ['poll', { required: [] }],
      ['named', {}],
    ]),
  };

  it.each([
    [{ message: 'Hello', phone: '555 0100' }, []],
    [{ Comments: 'Hello', 'E-Mail': email }, []],
    [{ email }, [['message', message]]],
    [{ email, comments: '' }, [['comments', other]]],
    [{ message: 'Hello' }, [['email', emailOrPhone]]],
    [{ message: 'Hello', tel: '', mail: '' }, [['mail', emailOrPhone]]],
    [{ message: 'Hello', tel: '' }, [['tel', other]]],
    [{ 'form-name': 'other', email }, [['message', message]]],
    [{ 'form-name': 'named', email }, [['message', message]]],
    [{ 'form-name': 'NEWSLETTER', email }, [['message', message]]],
    [{ 'form-name': 'newsletter', email }, []],
    [{ _form: ' newsletter ', _replyto: email }, []],
    [{ 'form-name': 'newsletter', phone: '555 0100' }, [['email', other]]],
    [{ 'form-name': 'newsletter', phone: '555 0100', _replyto: '' }, [['_replyto', other]]],
    [{ 'form-name': 'poll', choice: 'tea' }, []],
    [{ 'form-name': 'poll', message: '' }, [['message', message]]],
    [
      { email: '', message: '' },
      [
        ['email', other],
        ['message', message],
      ],
    ],
    [{ 'form-name': 'newsletter', phone: '', email: '' }, [['email', other]]],
    [{ 'form-name': 'offer', message: 'Hello', email, topic: ' ' }, [['topic', other]]],
    [{ 'form-name': 'offer', message: 'Hello', email, topic: ['', ' '] }, [['topic', other]]],
    [{ 'form-name': 'offer', message: 'Hello', email, topic: ['', 'A'] }, []],
    [
      { 'form-name': 'offer' },
      [
        ['email', emailOrPhone],
        ['message', message],
        ['topic', other],
      ],
    ],
  ] satisfies [object, Missing][])('of %j lacks %j', (fields, missing) => expectMissing(fields, missing, settings));

  it('is met by the name that was sent', () =>
    expectMissing({ comments: 'Hello', name: 'Ada' }, [], { required: ['comments', 'name'] }));

  it('names on a page what is missing, though the form may not have it', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
    const contacts = await startContacts(undefined, { required: ['terms'] });
    const { text } = await contacts.create({ headers, body: new URLSearchParams({ email }).toString() });
    expect(text).toContain('<dt dir="auto">terms</dt>');
  });
});
