import { describe, expect, it } from 'vitest';
import { formFields } from '../../../functions/names/service-fields.ts';
import { sitesByOrigin } from '../../../functions/pages/sites.ts';
import type { ApiResponse } from '../../support/call.ts';
import {
  type FormEndpoint,
  idsIn,
  minimal,
  siteOrigin,
  siteWithThankYouPage,
  startContacts,
  startForms,
} from '../../support/contacts.ts';
import { parseForm } from '../../support/fields.ts';
import { logLines, logText } from '../../support/log.ts';

type Fields = Readonly<Record<string, string>>;

/** Posts a plain form as a browser does. */
const submit = ({ create }: FormEndpoint, fields: Fields, origin = siteOrigin): Promise<ApiResponse> =>
  create({
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', Origin: origin },
    body: new URLSearchParams(fields).toString(),
  });

describe("a form's name", () => {
  it.each([
    [{ 'form-name': ' sales ' }, 'sales'],
    [{ _form: 'Ame\u0301lie' }, 'Amélie'],
    [{ 'form-name': 'sales', _form: 'support' }, 'sales'],
    [{ 'form-name': ' ', _form: 'support' }, 'support'],
    [{ 'form-name': '🍰'.repeat(64) }, '🍰'.repeat(64)],
    [{ form: 'sales' }, undefined],
  ])('is read from %j as %j', async (fields, form) => {
    const { post, stored } = startForms();
    await post({ ...minimal, ...fields });
    expect(stored.map((contact) => contact.fields)).toEqual([
      { ...minimal, ...(form === undefined ? { extra: fields } : { form }) },
    ]);
  });

  it.each([
    ['a\u0007b', 'ab'],
    [' a\nb', 'a b'],
    [['sales', 'support'], 'sales'],
  ])('is cleaned like any text, and the first of several counts: %j', async (value, stored) => {
    expect((await startForms().post({ ...minimal, 'form-name': value })).body).toMatchObject({ form: stored });
  });

  it('stays an extra field if it is too long, which is logged: visitors cannot mend a hidden field', async () => {
    const long = 'x'.repeat(65);
    const { body } = await startForms().post({ ...minimal, _form: long });
    expect(body).toMatchObject({ extra: { _form: long } });
    expect(body).not.toHaveProperty('form');
    expect(logLines()).toContainEqual(expect.objectContaining({ message: 'form name ignored', field: '_form' }));
  });
});

it('tells contents apart that differ in the form or in the campaign alone', async () => {
  const contacts = await startContacts();
  for (const form of ['sales', 'support', 'sales']) await submit(contacts, { ...minimal, 'form-name': form });
  expect(idsIn(await contacts.list())).toHaveLength(2);

  const postAs = async (fields: Fields) =>
    (await contacts.post({ ...minimal, ...fields }, { 'Idempotency-Key': 'one' })).status;
  expect(await postAs({ 'form-name': 'sales', campaign: 'spring' })).toBe(201);
  expect(await postAs({ 'form-name': 'support', campaign: 'spring' })).toBe(422);
  expect(await postAs({ 'form-name': 'sales', campaign: 'summer' })).toBe(422);
  expect(await postAs({ 'form-name': 'sales', campaign: 'spring' })).toBe(201);
});

describe('the campaign that a form names', () => {
  const long = '🍰'.repeat(200);

  it.each([
    [{ campaign: ' Ame\u0301lie ' }, { campaign: 'Amélie' }],
    [{ campaign: long }, { campaign: long }],
    [{ Campaign_ID: '701000000000001' }, { campaign: '701000000000001' }],
    [{ utm_campaign: 'spring-sale' }, { campaign: 'spring-sale' }],
    [{ 'CAMPAIGN ID': 'one' }, { campaign: 'one' }],
    [{ UTMCampaign: 'one' }, { campaign: 'one' }],
    [{ 'fields[utm_campaign]': 'one' }, { campaign: 'one' }],
    [
      { utm_campaign: 'three', 'campaign-id': 'two', Campaign: 'one' },
      { campaign: 'one', extra: { utm_campaign: 'three', 'campaign-id': 'two' } },
    ],
    [
      { utm_campaign: 'two', Campaign_ID: 'one' },
      { campaign: 'one', extra: { utm_campaign: 'two' } },
    ],
    [{ campaign: ' ', utm_campaign: 'one' }, { campaign: 'one' }],
    [
      { campaign: 1, Campaign: 'one' },
      { campaign: 'one', extra: { campaign: '1' } },
    ],
    [{ campaign: `${long}x` }, { extra: { campaign: `${long}x` } }],
    [{ campaign: 'two\nlines' }, { campaign: 'two lines' }],
    [{ Kampagne: 'one' }, { campaign: 'one' }],
    [{ campaign: ['one', 'two'] }, { extra: { campaign: ['one', 'two'] } }],
    [{ campaign_name: 'one', utm_source: 'mail' }, { extra: { campaign_name: 'one', utm_source: 'mail' } }],
  ])('is read from %j', async (sent, expected) => {
    expect((await parseForm({ ...minimal, ...sent })).fields).toEqual({ ...minimal, ...expected });
  });

  it('is kept where other fields are ignored, and does not count as one of them', async () => {
    const ignore = { extraFields: 'ignore' } as const;
    const { fields, ignored } = await parseForm({ ...minimal, utm_campaign: 'spring-sale' }, ignore);
    expect({ fields, ignored }).toEqual({ fields: { ...minimal, campaign: 'spring-sale' }, ignored: 0 });
    expect(await parseForm({ ...minimal, campaign: `${long}x` }, ignore)).toMatchObject({
      fields: minimal,
      ignored: 1,
    });
  });
});

it('keeps a subject as an extra field', async () => {
  const subjects = { _subject: 'An offer', subject: 'Another' };
  expect((await parseForm({ ...minimal, ...subjects })).fields).toEqual({ ...minimal, extra: subjects });
});

it('neither keeps nor logs what is meant for spam defences or other services', async () => {
  const { post, stored } = startForms();
  const secret = 'token-'.repeat(2000);
  const names = [...formFields.spam, ...formFields.otherServices];
  for (const name of names) expect((await post({ ...minimal, [name]: secret })).status, name).toBe(201);
  expect(stored.map(({ fields, spam }) => ({ fields, spam }))).toEqual(
    names.map(() => ({ fields: minimal, spam: false })),
  );
  expect(logText()).not.toContain('token-');
});

describe('the success page that a form asks for', () => {
  const page = 'https://www.example.com/thanks';
  const newsletterPage = 'https://www.example.com/welcome';

  it.each([
    ['_next', page, page],
    ['_redirect', `${siteWithThankYouPage.origin}/a b?c=\u00e9`, `${siteWithThankYouPage.origin}/a%20b?c=%C3%A9`],
    ['redirect', ` ${page}\r\nSet-Cookie: a=b`, `${page}Set-Cookie:%20a=b`],
  ])('is taken from %s=%j, and not kept', async (name, url, location) => {
    const forms = startForms();
    const response = await submit(forms, { ...minimal, [name]: url });
    const headers = { Location: location, 'Cache-Control': 'no-store' };
    expect(response).toMatchObject({ status: 303, headers, text: '' });
    expect(forms.stored.map(({ fields }) => fields)).toEqual([minimal]);
    expect(logText()).not.toContain('success page ignored');
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
    const forms = startForms();
    const { status, headers } = await submit(forms, { ...minimal, _next: url });
    expect(status).toBe(201);
    expect(headers).not.toHaveProperty('Location');
    expect(forms.stored).toMatchObject([{ fields: { extra: { _next: url } } }]);
    expect(logLines()).toContainEqual(
      expect.objectContaining({ level: 'warn', message: 'success page ignored', site: siteOrigin }),
    );
    expect(logText()).not.toContain(url);
  });

  it('is a field like any other if it is too long once it is percent-encoded', async () => {
    const { status } = await submit(startForms(), { ...minimal, _next: `${page}?${'\u5b57'.repeat(1000)}` });
    expect(status).toBe(201);
  });

  it('is ignored without an Origin, too', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
    const body = new URLSearchParams({ ...minimal, _next: 'thanks' }).toString();
    expect((await startForms().create({ headers, body })).status).toBe(201);
  });

  it('is refused if it is too long', async () => {
    const { status, text } = await submit(startForms(), { ...minimal, _next: `${page}?${'x'.repeat(10_000)}` });
    expect(status).toBe(400);
    expect(text).toContain('<dt dir="auto">_next</dt>');
  });

  it('is not kept from a script, which gets no page', async () => {
    const { status, body } = await startForms().post({ ...minimal, _next: page });
    expect(status).toBe(201);
    expect(body).not.toHaveProperty('extra');
  });

  it.each([
    [{ _next: page, 'form-name': 'newsletter' }, page],
    [{ _next: '', _redirect: page }, page],
    [{ _next: 'thanks', redirect: page }, page],
    [{ 'form-name': 'newsletter' }, newsletterPage],
    [{ _next: 'thanks', 'form-name': 'newsletter' }, newsletterPage],
    [{ 'form-name': 'offer' }, siteWithThankYouPage.thankYouUrl],
  ])('of %j comes before that of the form, and that before that of the site: %s', async (fields, location) => {
    const forms = startForms({
      forms: new Map([
        ['newsletter', { thankYouUrl: newsletterPage }],
        ['offer', {}],
      ]),
    });
    const sent: Fields = { ...minimal, ...fields };
    const { headers } = await submit(forms, sent, siteWithThankYouPage.origin);
    expect(headers['Location']).toBe(location);
  });
  it.each(['null', undefined])(
    'is that of the only site for the Origin %s, but the site stays unknown',
    async (origin) => {
      const forms = startForms({ sites: sitesByOrigin([siteWithThankYouPage]) });
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
      const body = new URLSearchParams(minimal).toString();
      const response = await forms.create({ headers: { ...headers, ...(origin && { Origin: origin }) }, body });
      expect(response).toMatchObject({ status: 303, headers: { Location: siteWithThankYouPage.thankYouUrl } });
      expect(forms.stored).toMatchObject([{ site: undefined }]);
    },
  );
});
