import { describe, expect, it } from 'vitest';
import { parseBody } from '../../../functions/http/body.ts';
import { HttpError } from '../../../functions/http/errors.ts';
import { parseRequest } from '../../../functions/http/request.ts';
import { startForms } from '../../support/contacts.ts';
import { proxyEvent } from '../../support/event.ts';

const urlEncoded = 'application/x-www-form-urlencoded';

/** The fields of a body, which the event holds in base64 if it is bytes. */
const read = async (type: string, body: string | Uint8Array): Promise<unknown> => {
  const event = proxyEvent('POST /api/v1/contact', { headers: { 'Content-Type': type }, body });
  return Object.fromEntries((await parseBody(parseRequest(event))).fields);
};

const latin1 = (text: string) => Buffer.from(text, 'latin1');

const multipart = (fields: Readonly<Record<string, string>>) =>
  latin1(
    [
      ...Object.entries(fields).flatMap(([name, value]) => [
        '--b',
        `Content-Disposition: form-data; name="${name}"`,
        '',
        value,
      ]),
      '--b--',
      '',
    ].join('\r\n'),
  );

it('refuses JSON that is not UTF-8', async () => {
  const { create } = startForms();
  const body = latin1('{"email":"ada@example.com","message":"M\xfcller"}');
  expect(await create({ headers: { 'Content-Type': 'application/json' }, body })).toMatchObject({
    status: 400,
    body: { details: [{ field: 'body', code: 'malformed_text' }] },
  });
});

it.each([
  ['type', 'Content-Type', 'application/xml'],
  ['charset', 'Content-Type', `${urlEncoded}; charset=iso-8859-1`],
  ['coding', 'Content-Encoding', 'gzip'],
])('says of a 415 that the %s is wrong, as JSON and on a page', async (what, field, value) => {
  const { create } = startForms();
  const sent = { headers: { [field]: value }, body: 'message=Hello' };
  const { status, body } = await create(sent);
  const message = expect.stringMatching(`^Unknown ${what}: send `);
  expect([status, body]).toMatchObject([415, { details: [{ field, code: `unsupported_${what}`, message }] }]);
  const page = await create({ ...sent, headers: { ...sent.headers, Accept: 'text/html' } });
  expect(page.text).toContain(`<dt dir="auto">${field}</dt>\n<dd>Unknown ${what}: send `);
});

it.each(['a character cut in two \ud83d', '\udc00'])('mends half of a character in JSON: %j', async (half) => {
  const { body } = await startForms().post({ email: 'ada@example.com', message: half, [half]: [half] });
  const whole = half.toWellFormed();
  expect(body).toMatchObject({ message: whole, extra: { [whole]: [whole] } });
});

describe('an old page', () => {
  it.each([
    ['windows-1252, without a word of it', 'a=Gr%FC%DFe+%80', { a: 'Grüße €' }],
    ['ISO-8859-15', 'a=%A4&_charset_=iso-8859-15', { a: '€', _charset_: 'iso-8859-15' }],
    ['windows-1251', '_charset_=windows-1251&%E0=%CF%F0', { _charset_: 'windows-1251', а: 'Пр' }],
    // The second bytes of these letters are a backslash and an A.
    ['Shift_JIS', '_charset_=Shift_JIS&a=%83%5C%83A', { _charset_: 'Shift_JIS', a: 'ソア' }],
    ['an encoding that nobody knows', '_charset_=x-none&a=%FC', { _charset_: 'x-none', a: 'ü' }],
    ['UTF-8, cut within a character', 'a=caf%C3%A9+%C3', { a: 'café \ufffd' }],
    ['UTF-16, in which no form is sent', '_charset_=UTF-16&a=%FC', { _charset_: 'UTF-16', a: 'ü' }],
    ['UTF-8, as it says', '_charset_=UTF-8&a=%FC', { _charset_: 'UTF-8', a: '\ufffd' }],
    ['more bad sequences than good ones', 'a=%C3%A9%FF%FE', { a: 'Ã©ÿþ' }],
    ['UTF-8 in spite of what it names', '_charset_=windows-1252&a=%C3%A9', { _charset_: 'windows-1252', a: 'é' }],
    ['separators in a value', 'a=%26%3D%25%2B%FC+%&b', { a: '&=%+ü %', b: '' }],
  ])('is read in %s', async (_, body, fields) => {
    expect(await read(urlEncoded, body)).toEqual(fields);
  });

  it('is read whatever way the form sends it', async () => {
    const fields = { _charset_: 'windows-1251', message: '\xcf\xf0 &#233;' };
    const expected = { _charset_: 'windows-1251', message: 'Пр é' };
    expect(await read('multipart/form-data; boundary=b', multipart(fields))).toEqual(expected);
    const lines = Object.entries(fields).map((pair) => `${pair.join('=')}\r\n`);
    expect(await read('text/plain', latin1(lines.join('').trimEnd()))).toEqual(expected);
    expect(await read(urlEncoded, latin1(`_charset_=windows-1251&message=\xcf\xf0+%26%23233;`))).toMatchObject({
      message: 'Пр &#233;',
    });
  });

  const two = encodeURIComponent('&#1055;&#1088;');
  const one = encodeURIComponent('&#1055;');
  const small = encodeURIComponent('&#233;&#233;');

  it.each([
    ['in a row', `a=${two}`, 'Пр'],
    ['in a form that names another encoding', `a=${one}&_charset_=windows-1252`, 'П'],
    ['in a body that is read as such', `a=%FC+${one}`, 'ü П'],
    ['of an emoji', `a=%FC${encodeURIComponent('&#128512;')}`, 'ü😀'],
  ])('has its character references read %s', async (_, body, text) => {
    expect(await read(urlEncoded, body)).toMatchObject({ a: text });
  });

  it.each([
    ['alone', `a=${one}`],
    ['below 256', `a=${small}`],
    ['in a page in UTF-8', `a=${two}&b=%C3%A9`],
    ['in a form that names UTF-8', `a=${two}&_charset_=utf-8`],
    ['of what every encoding has', `a=${encodeURIComponent('&#100;&#60;')}&_charset_=windows-1252`],
    ['of no character', `a=${encodeURIComponent('&#55357;&#9999999;')}&_charset_=windows-1252`],
  ])('keeps what the visitor wrote as a reference: %s', async (_, body) => {
    expect(await read(urlEncoded, body)).toMatchObject({ a: new URLSearchParams(body).get('a') });
  });

  it('is held to all rules after that', async () => {
    const email = encodeURIComponent('&#8203;ada@example.com');
    const body = `email=${email}&message=%FC%26%23128%3B&_gotcha=%26%238203%3B%FC`;
    const { create, stored } = startForms();
    expect((await create({ headers: { 'Content-Type': urlEncoded }, body })).status).toBe(201);
    expect(stored).toMatchObject([{ fields: { email: 'ada@example.com', message: 'ü€' }, spam: 'trap' }]);
  });
});

// jQuery names this type for every text.
it('reads JSON that has the type of a form', async () => {
  expect(await read(urlEncoded, '{"a":[1]}')).toEqual({ a: [1] });
  expect(await read(urlEncoded, '{a}=1')).toEqual({ '{a}': '1' });
});

describe('text/plain', () => {
  it.each([
    ['the JSON of a script', ' {"a":[1]}', { a: [1] }],
    ['fields', 'a=1\r\nb=\r\nc[d].e-f=2\r\n', { a: '1', b: '', 'c[d].e-f': '2\n' }],
    [
      'lines of a text',
      'a=1\r\n\r\nb c=2\r\n=3\r\nhttps://x?y=z\r\nd=4',
      { a: '1\n\nb c=2\n=3\nhttps://x?y=z', d: '4' },
    ],
    ['a name that came already', 'a=1\r\na=2\r\nb=3\r\na=4', { a: '1\na=2', b: '3\na=4' }],
    ['names in other letters', 'Ваше имя=1\r\nСообщение=2', { 'Ваше имя': '1', Сообщение: '2' }],
    ['a name that is too long', `a=1\n${'b'.repeat(65)}=2`, { a: `1\n${'b'.repeat(65)}=2` }],
    ['broken JSON', '{"a=1', {}],
    ['the urlencoded fields of a script', 'a=1%202&b=3+4', { a: '1 2', b: '3 4' }],
    ['nothing', '', {}],
  ])('is read as %s', async (_, body, fields) => {
    expect(await read('text/plain;charset=UTF-8', body)).toEqual(fields);
  });

  it('can have as many fields as any body', async () => {
    const lines = Array.from({ length: 501 }, (_, at) => `f${at}=`);
    await expect(read('text/plain', lines.slice(1).join('\n'))).resolves.toBeDefined();
    await expect(read('text/plain', lines.join('\n'))).rejects.toThrow(HttpError);
    await expect(read('text/plain', JSON.stringify({ a: lines }))).rejects.toThrow(HttpError);
  });

  // Over HTTP, the gateway may add a type to a body without one.
  it('is the type of a body without one', async () => {
    const { create, stored } = startForms();
    await create({ body: 'email=ada@example.com\r\nmessage=Hi' });
    await create({ headers: { 'Content-Type': '' }, body: '{"email":"ada@example.com","message":"Hi"}' });
    expect(stored.map(({ fields }) => fields)).toEqual(Array(2).fill({ email: 'ada@example.com', message: 'Hi' }));
  });
});

describe('the type of a body', () => {
  it.each(['utf8', 'UTF8', 'Utf-8', 'us-ascii', '"US-ASCII"', 'ASCII', 'utf_8'])(
    'can name the charset %s',
    async (name) => {
      expect(await read(`${urlEncoded};charset=${name}`, 'a=%C3%A9')).toEqual({ a: 'é' });
    },
  );

  it.each([
    ['Content-Type', { 'Content-Type': 'text/html' }],
    ['Content-Type', { 'Content-Type': `${urlEncoded}; charset=windows-1252` }],
    ['Content-Encoding', { 'Content-Type': urlEncoded, 'Content-Encoding': 'gzip' }],
  ])('gets a page that names %s for %j, and speaks of no files', async (field, headers) => {
    const { status, text } = await startForms().create({ headers: { ...headers, Accept: 'text/html' }, body: 'a=b' });
    expect(status).toBe(415);
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).not.toContain('files');
    expect(text).toContain(field);
  });
});
