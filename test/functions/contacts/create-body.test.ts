import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ContactsService, idIn, idsIn, minimal, startContacts } from '../../support/contacts.ts';
import { logLines, logText } from '../../support/log.ts';

let contacts: ContactsService;
beforeAll(async () => {
  contacts = await startContacts();
});

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

const send = (contentType: string, body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
  contacts.create({ body, headers: { 'Content-Type': contentType, ...headers } });

const least = JSON.stringify(minimal);

describe('the type of the body', () => {
  it.each([
    json,
    'APPLICATION/JSON',
    'application/json;charset=utf-8',
    'Application/Json ; Charset="UTF-8"; q=1',
    'application/json; boundary=x',
  ])('takes JSON as %s', async (contentType) => {
    expect((await send(contentType, least)).status).toBe(201);
  });

  it.each([form, 'Application/X-WWW-Form-URLEncoded; charset=UTF-8'])('takes a form as %s', async (contentType) => {
    expect((await send(contentType, 'email=ada%40example.com&message=Hello')).status).toBe(201);
  });

  it('reads the header whatever its case', async () => {
    const { status } = await contacts.create({ body: least, headers: { 'content-TYPE': json } });
    expect(status).toBe(201);
  });

  it.each([
    '',
    'json',
    'text/plain',
    'text/json',
    'application/xml',
    'application/json-patch+json',
    'application/octet-stream',
    'application/json, application/json',
    'application/json; charset=iso-8859-1',
    'application/x-www-form-urlencoded; charset=utf-16',
  ])('refuses %j with 415', async (contentType) => {
    const answer = await send(contentType, least);
    expect(answer.status).toBe(415);
    expect(answer.body).toStrictEqual({ error: 'Unsupported Media Type' });
  });

  it('refuses a body without a type', async () => {
    expect((await contacts.create({ body: least })).status).toBe(415);
  });

  it.each(['gzip', 'GZIP', 'br', 'deflate', 'gzip, identity'])('refuses the coding %s', async (coding) => {
    expect((await send(json, least, { 'Content-Encoding': coding })).status).toBe(415);
  });

  it('takes the coding that is none', async () => {
    expect((await send(json, least, { 'Content-Encoding': 'Identity' })).status).toBe(201);
  });
});

describe('the size of the body', () => {
  const limit = 64 * 1024;
  /** JSON of so many bytes, most of them in characters of three bytes. */
  const sized = (bytes: number) => {
    const [start, end] = [`{"email":"ada@example.com","message":"Hello","padding":"`, '"}'];
    const room = bytes - start.length - end.length;
    return start + '€'.repeat(Math.floor(room / 3)) + 'x'.repeat(room % 3) + end;
  };

  it.each([
    ['text', (text: string) => text],
    ['base64', (text: string) => Buffer.from(text)],
  ])('takes 64 KiB and not one byte more, as %s', async (_, encode) => {
    expect(Buffer.byteLength(sized(limit))).toBe(limit);
    expect((await send(json, encode(sized(limit)))).status).toBe(201);
    const answer = await send(json, encode(sized(limit + 1)));
    expect(answer.status).toBe(413);
    expect(answer.body).toStrictEqual({ error: 'Content Too Large' });
  });
});

describe('JSON', () => {
  it('reads UTF-8 that arrives in base64', async () => {
    const answer = await send(json, Buffer.from(JSON.stringify({ ...minimal, company: 'Müller 😀' })));
    expect(answer.body).toMatchObject({ company: 'Müller 😀' });
  });

  it.each([
    ['nothing', ''],
    ['half an object', '{'],
    ['more than an object', '{}x'],
    ['other quotes', "{'message': 'Hello'}"],
    ['a bare line break', '{"message":"a\nb"}'],
    ['a list', '[]'],
    ['a list of objects', '[{"message":"Hello"}]'],
    ['a deep list', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['null', 'null'],
    ['a text', '"Hello"'],
    ['a number', '1'],
    ['a truth value', 'true'],
  ])('refuses %s as no object in JSON', async (_, body) => {
    const answer = await send(json, body);
    expect(answer.status).toBe(400);
    expect(answer.body).toStrictEqual({
      error: 'Bad Request',
      details: [{ field: 'body', message: expect.any(String) }],
    });
  });

  it('refuses a body that is missing', async () => {
    expect((await contacts.create({ headers: { 'Content-Type': json } })).status).toBe(400);
  });

  it('refuses bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"email":"ada@example.com","message":"'),
      Buffer.from([0xc3, 0x28, 0x22, 0x7d]),
    ]);
    expect((await send(json, bytes)).status).toBe(400);
  });

  it('takes a deep value for what it is: no text', async () => {
    const deep = `${'[{"a":'.repeat(5000)}1${'}]'.repeat(5000)}`;
    const inKnown = await send(json, `{"email":"ada@example.com","message":${deep}}`);
    expect(inKnown.body).toMatchObject({ details: [{ field: 'message' }] });
    const inUnknown = await send(json, `{"email":"ada@example.com","message":"Hello","deep":${deep}}`);
    expect(inUnknown.status).toBe(201);
  });

  it('takes names of inherited properties for unknown fields', async () => {
    const body = `{"__proto__":{"message":"Hello"},"constructor":1,"toString":"x","email":"ada@example.com"}`;
    const answer = await send(json, body);
    expect(answer.body).toMatchObject({ details: [{ field: 'message' }] });
    expect(Reflect.get({}, 'message')).toBeUndefined();
    expect(logLines()).toContainEqual(expect.objectContaining({ fields: ['__proto__', 'constructor', 'toString'] }));
  });
});

describe('a form', () => {
  const least = 'email=ada%40example.com&message=';

  it.each([
    ['%22quoted%22+%26+%27so%27', `"quoted" & 'so'`],
    ['1%2B1+%3D+2', '1+1 = 2'],
    ['a=b==c', 'a=b==c'],
    ['100%', '100%'],
    ['100%+sure', '100% sure'],
    ['%zz%4', '%zz%4'],
    ['%E2%82%AC+%F0%9F%98%80', '€ 😀'],
    ['€ 😀', '€ 😀'],
    ['one%0D%0Atwo', 'one\r\ntwo'],
    ['x%20y', 'x y'],
  ])('reads %s', async (sent, message) => {
    const answer = await send(form, least + sent);
    expect(answer.body).toMatchObject({ message });
  });

  it.each(['%FF', '%C3%28', '%C3', '%ED%A0%80', '%F4%90%80%80', '%C0%AF'])('refuses %s as no UTF-8', async (sent) => {
    const answer = await send(form, least + sent);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ details: [{ field: 'body' }] });
  });

  it('refuses a broken sequence in a name, too', async () => {
    expect((await send(form, `${least}Hello&%FF=1`)).status).toBe(400);
  });

  it('refuses a field that comes twice, by name', async () => {
    const answer = await send(form, `${least}Hello&company=a&company=b&lastName=x&lastName=x&lastName=`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ details: [{ field: 'company' }, { field: 'lastName' }] });
  });

  it('takes an unknown field that comes twice', async () => {
    expect((await send(form, `${least}Hello&tag=a&tag=b`)).status).toBe(201);
  });

  it('takes names of inherited properties for unknown fields', async () => {
    const answer = await send(form, `${least}Hello&__proto__=1&constructor=2&toString=3&__proto__=4&hasOwnProperty=5`);
    expect(answer.body).toStrictEqual({ id: idIn(answer), createdAt: expect.any(String), ...minimal });
    expect(logLines()).toContainEqual(
      expect.objectContaining({ fields: ['__proto__', 'constructor', 'toString', 'hasOwnProperty'] }),
    );
  });

  it('passes over empty pairs, and takes a name without a value as blank', async () => {
    expect((await send(form, `&&${least}Hello&company&=nothing&&`)).body).not.toHaveProperty('company');
  });

  it('reads what a browser writes as it reads the same in JSON', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 30 }).filter((sent) => sent.isWellFormed());
    await fc.assert(
      fc.asyncProperty(text, text, async (message, company) => {
        const fields = { ...minimal, message, company };
        const [fromForm, fromJson] = await Promise.all([
          send(form, new URLSearchParams(fields).toString()),
          send(json, JSON.stringify(fields)),
        ]);
        expect(fromForm.status).toBe(fromJson.status);
        if (fromJson.status !== 201) expect(fromForm.body).toStrictEqual(fromJson.body);
        else expect(fromForm.body).toStrictEqual(Object.assign({}, fromJson.body, { id: idIn(fromForm) }));
      }),
    );
  });
});

describe('fields that the service does not know', () => {
  it('logs their names, some of them and of each a part, and never their values', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`unknown-${at}`, `value-${at}`]));
    const answer = await contacts.post({ ...minimal, ...unknown });
    expect(answer.body).toStrictEqual({ id: idIn(answer), createdAt: expect.any(String), ...minimal });
    expect(logLines()).toContainEqual(
      expect.objectContaining({ level: 'info', fields: Object.keys(unknown).slice(0, 20) }),
    );
    expect(logText()).not.toContain('value-');
  });

  it('logs no more than 64 characters of a name', async () => {
    await contacts.post({ ...minimal, ['n'.repeat(1000)]: 'x' });
    expect(logLines()).toContainEqual(expect.objectContaining({ fields: ['n'.repeat(64)] }));
  });

  it('logs nothing of the kind when it knows them all', async () => {
    await contacts.post({ ...minimal, website: '' });
    expect(logText()).not.toContain('fields');
  });
});

it('stores nothing of what it refuses', async () => {
  const fresh = await startContacts();
  await fresh.post({ ...minimal, company: 5 });
  await fresh.create({ body: least, headers: { 'Content-Type': 'text/plain' } });
  await fresh.create({ body: '{', headers: { 'Content-Type': json } });
  expect(idsIn(await fresh.list())).toStrictEqual([]);
});
