import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contactPath, create, listOnceItHolds, post, postBody, postForm, storedIn, visitor } from './client.ts';
import { expectError } from './expect-error.ts';
import type { ApiResponse } from './http.ts';
import { requestHead, sendCutShort } from './raw-http.ts';
import { target } from './target.ts';

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

const formData = (fields: Readonly<Record<string, string>>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
};

const multipart = (boundary: string, ...parts: string[]) =>
  [...parts.flatMap((part) => [`--${boundary}`, part]), `--${boundary}--`, ''].join('\r\n');

const part = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;

test('stores the same fields from JSON, urlencoded and multipart bodies', async () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .map((value) => `"${value}" & <b>100% + 1=2;'`);
  await fc.assert(
    fc.asyncProperty(text, text, async (company, message) => {
      const fields = visitor({ company, message: `${message} (${target.run})` });
      const responses = await Promise.all([post(fields), postForm(fields), postBody(formData(fields))]);
      for (const response of responses) {
        const { id, createdAt, ...stored } = storedIn(response);
        expect(stored).toEqual({
          ...fields,
          company: company.normalize('NFC'),
          message: fields.message.normalize('NFC'),
        });
      }
    }),
    { numRuns: 10 },
  );
});

test('keeps line breaks, quotes and letters of any language in a multipart body', async () => {
  // It contains lines that look like the head of a part.
  const message = `"Zeile"\n--\nContent-Transfer-Encoding: base64\n\nשורה\t行 (${target.run})`;
  const sent = formData(visitor({ message: message.replaceAll('\n', '\r\n') }));
  expect(storedIn(await postBody(sent)).message).toBe(message);
});

test.for([
  'Application/JSON',
  'APPLICATION/JSON; Charset=UTF-8',
  'application/json;charset="utf-8"',
  'application/json ; x=y',
])('accepts JSON as %s', async (type) => {
  storedIn(await postBody(JSON.stringify(visitor()), { 'Content-Type': type }));
});

test('accepts the type of a multipart body in any case and with a quoted boundary', async () => {
  const { email, message } = visitor();
  const body = multipart('a b', part('email', email), part('message', message));
  storedIn(await postBody(body, { 'Content-Type': 'Multipart/Form-Data; Boundary="a b"' }));
});

test.for(['', 'text/plain', 'text/plain;charset=UTF-8', 'Text/Plain; charset=us-ascii'])(
  'reads JSON and the lines of a form of the type "%s"',
  async (type) => {
    const fields = visitor({ company: 'Bücher' });
    expect(storedIn(await postBody(JSON.stringify(fields), { 'Content-Type': type }))).toMatchObject(fields);
    const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}\r\n`);
    expect(storedIn(await postBody(lines.join(''), { 'Content-Type': type }))).toMatchObject(fields);
  },
);

test.for([
  ['application/jsonp', 'unsupported_type'],
  ['application/json, application/json', 'unsupported_type'],
  ['application/json; charset=iso-8859-1', 'unsupported_charset'],
  ['application/x-www-form-urlencoded; charset=utf-16', 'unsupported_charset'],
  ['application/octet-stream', 'unsupported_type'],
  ['json', 'unsupported_type'],
  ['multipart/mixed; boundary=x', 'unsupported_type'],
] as const)('refuses a body of the type "%s" with 415, %s', async ([type, code]) => {
  const response = await postBody(JSON.stringify(visitor()), { 'Content-Type': type });
  expect(expectError(response, 415, ['Content-Type'])).toEqual([code]);
});

test.for(['gzip', 'gzip, identity'])('refuses a body with the content encoding %s with 415', async (coding) => {
  const body = gzipSync(JSON.stringify(visitor()));
  const response = await postBody(body, { 'Content-Type': json, 'Content-Encoding': coding });
  expect(expectError(response, 415, ['Content-Encoding'])).toEqual(['unsupported_coding']);
});

test('accepts a type of 255 characters and refuses longer ones with 415', async () => {
  const type = (length: number) => ({ 'Content-Type': `${'application/json;x=y'.padEnd(length - 4)};z=z` });
  storedIn(await postBody(JSON.stringify(visitor()), type(255)));
  expectError(await postBody(JSON.stringify(visitor()), type(256)), 415, ['Content-Type']);
});

const filePart = (fileName: string, content: string) =>
  `Content-Disposition: form-data; name="cv"; filename="${fileName}"\r\n\r\n${content}`;

test('refuses a file part with 415, except an empty file input', async () => {
  const postFile = (file: string) =>
    postBody(multipart('~~', part('email', 'ada@example.com'), part('message', target.run), file), {
      'Content-Type': 'multipart/form-data; boundary=~~',
    });
  for (const file of [filePart('cv.txt', 'x'), filePart('cv.txt', ''), filePart('', 'x')]) {
    expectError(await postFile(file), 415);
  }
  storedIn(await postFile(filePart('', '')));
});

test.for(['', '{', '{}x', '\u0000'])('refuses malformed JSON with 400: %j', async (body) => {
  const response = await postBody(body, { 'Content-Type': json });
  expect(expectError(response, 400, ['body'])).toEqual(['malformed_json']);
});

test.for(['null', '1', '"text"', '[{}]'])('refuses the JSON %j with 400, because it is not an object', async (body) => {
  const response = await postBody(body, { 'Content-Type': json });
  expect(expectError(response, 400, ['body'])).toEqual(['not_an_object']);
});

test('refuses JSON with hundreds of nested lists, complete or incomplete', async () => {
  const opened = '['.repeat(490);
  const closed = ']'.repeat(490);
  const type = { 'Content-Type': json };
  expectError(await postBody(`{"message":${opened}`, type), 400, ['body']);
  expectError(await postBody(`{"email":"ada@example.com","message":${opened}${closed}}`, type), 400, ['message']);
  expectError(await postBody(JSON.stringify(visitor()).replace('{', `{"deep":${opened}${closed},`), type), 400, [
    'deep',
  ]);
});

const expectTooMany = (response: ApiResponse) => expect(expectError(response, 400, ['body'])).toEqual(['too_many']);

test('refuses a JSON body of more than 500 values with 400', async () => {
  const many = (count: number, value: string) => `${value},`.repeat(count).slice(0, -1);
  const typed = (list: string) =>
    postBody(JSON.stringify(visitor()).replace('{', `{"list":${list},`), { 'Content-Type': json });
  // The list, the address and the message count, too.
  storedIn(await typed(`[${many(497, '1')}]`));
  expectTooMany(await typed(`[${many(498, '1')}]`));
  for (const value of ['[1]', '{}', '"\\",["']) expectTooMany(await typed(`[${many(498, value)}]`));
  for (const [open, end] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    expectTooMany(await typed(`${open.repeat(499)}1${end.repeat(499)}`));
  }
});

test('counts a JSON text as one value, whatever it contains', async () => {
  const message = `${target.run}${'",'.repeat(2400)}[{,`;
  expect(await create({ message })).toMatchObject({ message });
  expectError(await post(visitor({ message: '",'.repeat(12_000) })), 400, ['message']);
});

test('refuses a form of more than 500 values, or header lines, with 400', async () => {
  const pairs = String(new URLSearchParams(visitor()));
  storedIn(await postBody(pairs + '&x=1'.repeat(498), { 'Content-Type': form }));
  expectTooMany(await postBody(pairs + '&x=1'.repeat(499), { 'Content-Type': form }));

  const parts = (count: number, extra: string) =>
    multipart(
      '~~',
      ...Object.entries(visitor()).map(([name, value]) => part(name, value)),
      ...Array.from({ length: count }, () => `${extra}${part('x', '1')}`),
    );
  const type = { 'Content-Type': 'multipart/form-data; boundary=~~' };
  // The end of the body counts as a part.
  storedIn(await postBody(parts(497, ''), type));
  expectTooMany(await postBody(parts(498, ''), type));
  expectTooMany(await postBody(parts(1, 'X: y\r\n'.repeat(497)), type));
  // Header lines without an end count, too.
  expectTooMany(await postBody(`--~~\r\n${'X: y\r\n'.repeat(500)}`, type));
});

test('reads the forms of pages that are not in UTF-8, percent-encoded or as bytes', async () => {
  const message = `Grüße € (${target.run})`;
  const email = 'ada@example.com';
  const bytes = Buffer.from(message.replace('€', '\x80'), 'latin1');
  const encoded = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const raw = (start: string, end: string) => Buffer.concat([Buffer.from(start), bytes, Buffer.from(end)]);
  const [beforeText, afterText] = multipart('~~', part('email', email), part('message', '|')).split('|');
  for (const [type, body] of [
    [form, `email=${email}&message=${encoded}`],
    [form, raw(`email=${email}&message=`, '')],
    ['text/plain', raw(`email=${email}\r\nmessage=`, '\r\n')],
    ['multipart/form-data; boundary=~~', raw(beforeText ?? '', afterText ?? '')],
  ] as const) {
    expect(storedIn(await postBody(body, { 'Content-Type': type })), type).toMatchObject({ email, message });
  }
});

test('parses percent signs, plus signs, equals signs, raw text and empty pairs of forms as browsers do', async () => {
  const body = `&&email=ada@example.com&message=100%+of+1%2B1+=+a=b+%zz%4+€+😀+${target.run}&company&&`;
  const { id, createdAt, ...stored } = storedIn(await postBody(body, { 'Content-Type': form }));
  expect(stored).toEqual({ email: 'ada@example.com', message: `100% of 1+1 = a=b %zz%4 € 😀 ${target.run}` });
});

test('stores the first value of a repeated field, and the others as extra fields, in all three types', async () => {
  const sent = visitor({ phone: '555' });
  const repeated = new URLSearchParams(sent);
  repeated.append('phone', '556');
  repeated.append('phone', '555');
  repeated.append('message', 'Again');
  const data = new FormData();
  for (const [name, value] of repeated) data.append(name, value);
  const lists = { ...sent, phone: ['555', '556', '555'], message: [sent.message, 'Again'] };
  for (const response of [await postBody(repeated), await postBody(data), await post(lists)]) {
    const stored = storedIn(response);
    const { id, createdAt } = stored;
    expect(stored).toEqual({ id, createdAt, ...sent, extra: { phone: '556', message: 'Again' } });
  }
});

const whole = multipart('b', part('email', 'ada@example.com'), part('message', 'Hi'));

test.for([
  ['without a boundary', 'multipart/form-data', whole],
  ['with another boundary', 'multipart/form-data; boundary=c', whole],
  ['cut short in a part', 'multipart/form-data; boundary=b', whole.slice(0, -12)],
  ['cut short before the last boundary', 'multipart/form-data; boundary=b', whole.slice(0, whole.lastIndexOf('--b--'))],
  ['without content', 'multipart/form-data; boundary=b', ''],
  ['with a part without a name', 'multipart/form-data; boundary=b', multipart('b', 'Content-Disposition: x\r\n\r\ny')],
] as const)('refuses a multipart body %s with 400', async ([, type, body]) => {
  expectError(await postBody(body, { 'Content-Type': type }), 400, ['body']);
});

test.for(['base64', 'quoted-printable', 'BASE64'])(
  'refuses a part with the transfer encoding %s with 400',
  async (coding) => {
    const coded = (name: string) =>
      `Content-Disposition: form-data; name="message"\r\nContent-Transfer-Encoding: ${name}\r\n\r\n${target.run}`;
    const type = { 'Content-Type': 'multipart/form-data; boundary=~~' };
    const email = part('email', 'ada@example.com');
    expectError(await postBody(multipart('~~', email, coded(coding)), type), 400, ['body']);
    storedIn(await postBody(multipart('~~', email, coded('8bit')), type));
  },
);

/** A JSON body of so many bytes, with characters of three bytes and blanks. */
const bodyOf = (bytes: number) => {
  const body = JSON.stringify(visitor({ company: '€'.repeat(200) }));
  return body + ' '.repeat(bytes - Buffer.byteLength(body));
};

test('accepts a body of 64 KiB, and refuses one byte more with 413', async () => {
  storedIn(await postBody(bodyOf(64 * 1024), { 'Content-Type': json }));
  expectError(await postBody(bodyOf(64 * 1024 + 1), { 'Content-Type': json }), 413);
});

test('refuses urlencoded and multipart bodies above 64 KiB with 413', async () => {
  const fields = { ...visitor(), filler: 'x'.repeat(64 * 1024) };
  expectError(await postForm(fields), 413);
  expectError(await postBody(formData(fields)), 413);
});

test('stores nothing from an incomplete request', async () => {
  const before = await create();
  const cut = visitor();
  const body = JSON.stringify(cut);
  await sendCutShort(
    requestHead('POST', contactPath, `Content-Type: ${json}`, `Content-Length: ${body.length + 1}`) + body,
  );
  const after = await create();
  const list = await listOnceItHolds(before, [before, after]);
  expect(list.filter(({ email }) => email === cut.email)).toEqual([]);
});
