import { describe, expect, it } from 'vitest';

import { errorMessage } from '../../../functions/languages/language.ts';
import { english } from '../../../functions/languages/load.ts';
import { startForms } from '../../support/contacts.ts';
import { parseForm } from '../../support/fields.ts';

const email = 'ada@example.com';

const { emailOrPhone, message, oneOfSeveral, other } = english.pages.errors.required;

type Missing = readonly (readonly [field: string, message: string])[];

/** The fields that a visitor is asked for, each with its message. */
const missingIn = async (fields: object, options?: Parameters<typeof parseForm>[1]) => {
  const { errors } = await parseForm(fields, options);
  return errors.map((error) => {
    expect(error.code).toBe('required');
    return [error.field, errorMessage(english, error)];
  });
};

describe('a form that has some of the fields', () => {
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
  ] satisfies [object, Missing][])('of %j lacks %j', async (fields, missing) => {
    expect(await missingIn(fields)).toEqual(missing);
  });
});

const nothing: Missing = [
  ['email', oneOfSeveral],
  ['message', oneOfSeveral],
];

describe('a form that has none of the fields', () => {
  it.each([
    [{ name: 'Ada' }, []],
    [{ name: 'Ada', hotel: '' }, []],
    [{ mail: 'yes' }, []],
    [{ topic: ['', 'tea'] }, []],
    [{}, nothing],
    [{ name: ' ', topic: ['', null] }, nothing],
    [{ subject: 'An order', _subject: 'An order', Subject: 'An order' }, nothing],
    [{ campaign: 'Spring', Campaign_ID: '1', utm_source: 'mail', utm_term: 'x' }, nothing],
    [{ UTM_Campaign: 'x'.repeat(201) }, nothing],
    // It would be left out, and nothing would be stored.
    [{ '': 'Hello' }, nothing],
    [{ from_name: 'Website', _next: 'thanks', redirect: 'thanks' }, nothing],
  ] satisfies [object, Missing][])('of %j lacks %j', async (fields, missing) => {
    expect(await missingIn(fields)).toEqual(missing);
  });

  it("needs one of the fields with extraFields: 'ignore'", async () => {
    expect(await missingIn({ name: 'Ada', mail: 'yes' }, { extraFields: 'ignore' })).toEqual(nothing);
  });
});

describe('what the settings require', () => {
  const usual = ['message', 'email|phone'];
  const many = ['topic', 'message', 'email|phone', 'email'];

  it.each([
    [usual, { message: 'Hello', phone: '555 0100' }, []],
    [usual, { Comments: 'Hello', 'E-Mail': email }, []],
    [usual, { email }, [['message', message]]],
    [usual, { email, comments: '' }, [['comments', other]]],
    [usual, { message: 'Hello' }, [['email', emailOrPhone]]],
    [usual, { message: 'Hello', tel: '', mail: '' }, [['mail', emailOrPhone]]],
    [usual, { message: 'Hello', tel: '' }, [['tel', other]]],
    [
      usual,
      { email: '', message: '' },
      [
        ['email', other],
        ['message', message],
      ],
    ],
    [['email'], { _replyto: email }, []],
    [['email'], { phone: '555 0100' }, [['email', other]]],
    [['email'], { phone: '555 0100', _replyto: '' }, [['_replyto', other]]],
    [['email'], { phone: '', email: '' }, [['email', other]]],
    [[], { choice: 'tea' }, []],
    [[], { message: '' }, [['message', message]]],
    [many, { message: 'Hello', email, topic: ' ' }, [['topic', other]]],
    [many, { message: 'Hello', email, topic: ['', ' '] }, [['topic', other]]],
    [many, { message: 'Hello', email, topic: ['', 'A'] }, []],
    [
      many,
      {},
      [
        ['email', emailOrPhone],
        ['message', message],
        ['topic', other],
      ],
    ],
    [['comments', 'name'], { comments: 'Hello', name: 'Ada' }, []],
    [['utm_campaign'], { email, utm_campaign: 'spring-sale' }, []],
    [['utm_campaign'], { email, campaign: 'spring-sale' }, [['utm_campaign', other]]],
  ] satisfies [readonly string[], object, Missing][])('%j: of %j lacks %j', async (required, fields, missing) => {
    expect(await missingIn(fields, { required })).toEqual(missing);
  });

  it.each([
    [{}, ['message']],
    [{ 'form-name': 'other' }, ['message']],
    [{ 'form-name': 'named' }, ['message']],
    [{ 'form-name': 'NEWSLETTER' }, ['message']],
    [{ 'form-name': 'newsletter' }, ['company']],
    [{ _form: ' newsletter ' }, ['company']],
    [{ 'form-name': 'poll' }, undefined],
  ])('depends on the name of the form: %j lacks %j', async (name, missing) => {
    const { post } = startForms({
      required: ['message'],
      forms: new Map([
        ['newsletter', { required: ['company'] }],
        ['poll', { required: [] }],
        ['named', {}],
      ]),
    });
    const { body } = await post({ email, ...name });
    expect(Object(body).details?.map(({ field }: Record<string, unknown>) => field)).toEqual(missing);
  });
});

it.each([
  { 'form-name': 'newsletter', _gotcha: '' },
  { access_key: '4711', _url: 'https://www.example.com/' },
  { _proof: '1.x', 'idempotency-key': 'k', 'g-recaptcha-response': 'x' },
])('fields for the service or for other services are no contact request: %j', async (fields) => {
  const { body } = await startForms().post(fields);
  expect(body).toMatchObject({ details: nothing.map(([field, text]) => ({ field, code: 'required', message: text })) });
});

describe('a page', () => {
  const submit = (fields: Readonly<Record<string, string>>, required: readonly string[]) =>
    startForms({ required: [...required] }).create({
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
      body: String(new URLSearchParams(fields)),
    });

  it('asks to fill in the form, without fields that the form does not have', async () => {
    const { status, text } = await submit({ name: ' ', topic: '' }, []);
    expect(status).toBe(400);
    expect(text).toContain(english.pages.refusal.fillIn);
    expect(text).not.toContain('<dt');
  });

  it('names what the settings require, though the form may not have it', async () => {
    expect((await submit({ email }, ['terms'])).text).toContain('<dt dir="auto">terms</dt>');
  });
});
