import { describe, expect, it } from 'vitest';
import { formFields } from '../../../functions/contacts/form-fields.ts';
import { en } from '../../../functions/contacts/languages/en.ts';
import type { Answer } from '../../support/call.ts';
import {
  type ContactsService,
  idIn,
  minimal,
  siteOrigin,
  siteWithThankYouPage,
  startContacts,
} from '../../support/contacts.ts';
import { logLines, logText } from '../../support/log.ts';

const email = 'ada@example.com';

const newsletterPage = 'https://www.example.com/welcome';

/** A service with settings for two forms. */
const startForms = () =>
  startContacts(undefined, {
    forms: new Map([
      ['newsletter', { required: ['email'], thankYouUrl: newsletterPage }],
      ['offer', { required: ['topic', 'message', 'email|phone', 'email'] }],
    ]),
  });

type Fields = Readonly<Record<string, string>>;

/** Posts a plain form as a browser does. */
const submit = (contacts: ContactsService, fields: Fields, origin = siteOrigin): Promise<Answer> =>
  contacts.create({
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', Origin: origin },
    body: new URLSearchParams(fields).toString(),
  });

const requiredOf = async (contacts: ContactsService, body: object) => {
  const { status, text } = await contacts.post(body);
  return status === 201 ? [] : JSON.parse(text).details;
};

describe("a form's name", () => {
  it.each([
    [{ 'form-name': ' sales ' }, 'sales'],
    [{ _form: 'Ame\u0301lie' }, 'Amélie'],
    [{ 'form-name': 'sales', _form: 'support' }, 'sales'],
    [{ 'form-name': ' ', _form: 'support' }, 'support'],
    [{ 'form-name': '🍰'.repeat(64) }, '🍰'.repeat(64)],
    [{ form: 'sales' }, undefined],
  ])('is read from %j as %j', async (fields, form) => {
    const contacts = await startContacts();
    const { body } = await contacts.post({ ...minimal, ...fields });
    const { extra, ...stored } = Object(body);
    expect(stored).toMatchObject({ ...minimal, ...(form !== undefined && { form }) });
    expect(extra).toEqual(form === undefined ? fields : undefined);
    expect((await contacts.get({ pathParameters: { id: stored.id } })).body).toEqual(body);
  });

  it.each([
    ['form-name', 'a\u0007b', 'control_character', undefined],
    ['form-name', 'a\nb', 'control_character', undefined],
    ['_form', 'x'.repeat(65), 'too_long', 64],
    ['form-name', ['sales', 'sales'], 'not_text', undefined],
    ['_form', { name: 'sales' }, 'not_text', undefined],
  ])('is refused by the name of its field: %s %j', async (field, value, code, limit) => {
    const { status, text } = await (await startContacts()).post({ ...minimal, [field]: value });
    expect(status).toBe(400);
    expect(JSON.parse(text).details).toEqual([
      { field, code, message: expect.any(String), ...(limit !== undefined && { limit }) },
    ]);
  });

  it('tells identical contents of two forms apart', async () => {
    const contacts = await startContacts();
    const post = (form: string) => submit(contacts, { ...minimal, 'form-name': form });
    const [sales, support, again] = [await post('sales'), await post('support'), await post('sales')];
    expect(support.headers['Location']).not.toBe(sales.headers['Location']);
    expect(again.headers['Location']).toBe(sales.headers['Location']);

    const key = { 'Idempotency-Key': 'one' };
    await contacts.post({ ...minimal, 'form-name': 'sales' }, key);
    expect((await contacts.post({ ...minimal, 'form-name': 'support' }, key)).status).toBe(422);
  });
});

describe('_replyto', () => {
  it.each([
    [{ _replyto: email }, { email }],
    [{ _replyto: email, email: '' }, { email }],
    [
      { _replyto: 'office@example.com', email },
      { email, extra: { _replyto: 'office@example.com' } },
    ],
  ])('of %j is stored as %j', async (fields, stored) => {
    const { body } = await (await startContacts()).post({ message: 'Hello', ...fields });
    expect(body).toStrictEqual({
      ...{ id: expect.any(String), createdAt: expect.any(String), message: 'Hello' },
      ...stored,
    });
  });

  it.each([
    [{ _replyto: 'nobody' }, '_replyto', 'invalid_email'],
    [{ _replyto: [email, email] }, '_replyto', 'not_text'],
    [{ _replyto: '' }, '_replyto', 'required'],
    [{ _replyto: '', email: '' }, 'email', 'required'],
    [{ _replyto: email, email: 'nobody' }, 'email', 'invalid_email'],
  ])('of %j has its fault named %s', async (fields, field, code) => {
    const contacts = await startContacts();
    expect(await requiredOf(contacts, { message: 'Hello', ...fields })).toMatchObject([{ field, code }]);
  });

  it('has the label of an email address on a page', async () => {
    const { text } = await submit(await startContacts(), { message: 'Hello', _replyto: 'nobody' });
    expect(text).toContain('<dt>Email address</dt>');
  });
});

it('keeps a subject as an extra field', async () => {
  const subjects = { _subject: 'An offer', subject: 'Another' };
  expect((await (await startContacts()).post({ ...minimal, ...subjects })).body).toMatchObject({ extra: subjects });
});

it('neither keeps nor logs what is meant for spam defences or other services', async () => {
  const contacts = await startContacts();
  const secret = 'token-'.repeat(2000);
  for (const name of [...formFields.spam, ...formFields.otherServices]) {
    const { body } = await contacts.post({ ...minimal, [name]: secret });
    expect(body, name).toStrictEqual({ id: expect.any(String), createdAt: expect.any(String), ...minimal });
  }
  expect((await contacts.list({ query: [['spam', 'true']] })).body).toEqual([]);
  expect(logText()).not.toContain('token-');
});

describe('the thank-you page that a form asks for', () => {
  const page = 'https://www.example.com/thanks';

  it.each([
    ['_next', page, page],
    ['_redirect', `${siteWithThankYouPage.origin}/a b?c=\u00e9`, `${siteWithThankYouPage.origin}/a%20b?c=%C3%A9`],
    ['redirect', ` ${page}\r\nSet-Cookie: a=b`, `${page}Set-Cookie:%20a=b`],
  ])('is taken from %s=%j, and not kept', async (name, url, location) => {
    const contacts = await startContacts();
    const answer = await submit(contacts, { ...minimal, [name]: url });
    const headers = { Location: location, 'Cache-Control': 'no-store' };
    expect(answer).toMatchObject({ status: 303, headers, text: '' });
    expect((await contacts.list()).body).toStrictEqual([expect.not.objectContaining({ extra: expect.anything() })]);
    expect(logText()).not.toContain('thank-you page ignored');
  });

  it.each([
    'javascript:alert(1)',
    '//evil.example/thanks',
    '/thanks',
    'https://evil.example/thanks',
    'https://www.example.com.evil.example/',
    'https://www.example.com@evil.example/',
    'https://ada:secret@www.example.com/',
    'http://www.example.com/',
    'https://www.example.com:8443/',
    'blob:https://www.example.com/4711',
    'data:text/html,hello',
    'thanks',
  ])('is a field like any other if it is %s', async (url) => {
    const contacts = await startContacts();
    const { status, headers } = await submit(contacts, { ...minimal, _next: url });
    expect(status).toBe(201);
    expect(headers['Location']).toMatch(/\/api\/v1\/contact\/[0-9a-f-]{36}$/);
    expect((await contacts.list()).body).toMatchObject([{ extra: { _next: url } }]);
    expect(logLines()).toContainEqual(
      expect.objectContaining({ level: 'warn', message: 'thank-you page ignored', site: siteOrigin }),
    );
    expect(logText()).not.toContain(url);
  });

  it('is a field like any other if it is too long once it is percent-encoded', async () => {
    const { status } = await submit(await startContacts(), { ...minimal, _next: `${page}?${'\u5b57'.repeat(500)}` });
    expect(status).toBe(201);
  });

  it('is ignored without an Origin, too', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
    const body = new URLSearchParams({ ...minimal, _next: 'thanks' }).toString();
    expect((await (await startContacts()).create({ headers, body })).status).toBe(201);
  });

  it('is refused if it is too long', async () => {
    const { status, text } = await submit(await startContacts(), {
      ...minimal,
      _next: `${page}?${'x'.repeat(10_000)}`,
    });
    expect(status).toBe(400);
    expect(text).toContain('<dt>_next</dt>');
  });

  it('is not kept from a script, which gets no page', async () => {
    const { status, body } = await (await startContacts()).post({ ...minimal, _next: page });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('extra');
  });

  it.each([
    [{ _next: page, 'form-name': 'newsletter' }, page],
    [{ _next: '', _redirect: page }, page],
    [{ _next: 'thanks', redirect: page }, page],
    [{ 'form-name': 'newsletter' }, newsletterPage],
    [{ _next: 'thanks', 'form-name': 'newsletter' }, newsletterPage],
    [{ 'form-name': 'offer', topic: 'x' }, siteWithThankYouPage.thankYouUrl],
  ])('of %j comes before that of the form, and that before that of the site: %s', async (fields, location) => {
    const sent: Fields = { ...minimal, ...fields };
    const { headers } = await submit(await startForms(), sent, siteWithThankYouPage.origin);
    expect(headers['Location']).toBe(location);
  });
});

describe('required fields', () => {
  const { required } = en.faults;

  it.each([
    [{ 'form-name': 'newsletter', email }, []],
    [{ _form: ' newsletter ', email }, []],
    [{ 'form-name': 'newsletter', phone: '555 0100' }, [['email', required.other]]],
    [{ 'form-name': 'newsletter', _replyto: '' }, [['_replyto', required.other]]],
    [{ 'form-name': 'offer', ...minimal, topic: ' ' }, [['topic', required.other]]],
    [{ 'form-name': 'offer', ...minimal, topic: ['', ' '] }, [['topic', required.other]]],
    [{ 'form-name': 'offer', ...minimal, topic: ['', 'A'] }, []],
    [
      { 'form-name': 'offer' },
      [
        ['email', required.emailOrPhone],
        ['message', required.message],
        ['topic', required.other],
      ],
    ],
    [{ 'form-name': 'other', email }, [['message', required.message]]],
    [{ 'form-name': 'NEWSLETTER', email }, [['message', required.message]]],
    [{ email }, [['message', required.message]]],
    [{ message: 'Hello', phone: '555 0100' }, []],
  ])('of %j are missing: %j', async (body, missing) => {
    const expected = missing.map(([field, message]) => ({ field, code: 'required', message }));
    expect(await requiredOf(await startForms(), body)).toStrictEqual(expected);
  });

  it('of a form with settings can do without a message', async () => {
    const contacts = await startForms();
    const created = await contacts.post({ 'form-name': 'newsletter', email });
    expect(created.body).toStrictEqual({ id: idIn(created), createdAt: expect.any(String), email, form: 'newsletter' });
  });
});
