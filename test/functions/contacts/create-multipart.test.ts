import { expect, it } from 'vitest';
import { minimal, startContacts } from '../../support/contacts.ts';

const part = (name: string, value: string | Buffer, more = '') =>
  Buffer.concat([
    Buffer.from(`--edge\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);

const post = (parts: readonly Buffer[], end = '--edge--\r\n', contentType = 'multipart/form-data; boundary=edge') => ({
  body: Buffer.concat([...parts, Buffer.from(end)]),
  headers: { 'Content-Type': contentType },
});

const valid = Object.entries(minimal).map(([name, value]) => part(name, value));

it.each(['multipart/form-data; boundary=edge', 'Multipart/Form-Data; BOUNDARY="edge"'])(
  'takes text parts as they are, as %s',
  async (contentType) => {
    const contacts = await startContacts();
    const message = 'She said "two\r\nlines" & 100 % – 😀';
    const answer = await contacts.create(
      post([part('email', 'a@example.com'), part('message', message)], undefined, contentType),
    );
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ email: 'a@example.com', message });
  },
);

it.each([
  ['a file', post([...valid, part('cv', 'text', '; filename="cv.txt"')]), 415],
  ['an empty file', post([...valid, part('cv', '', '; filename=""')]), 415],
  ['no boundary', post(valid, undefined, 'multipart/form-data'), 400],
  ['another boundary', post(valid, undefined, 'multipart/form-data; boundary=other'), 400],
  ['a body cut short', post(valid, '--ed'), 400],
  ['no end', post(valid, ''), 400],
  ['bytes that are no text', post([...valid, part('company', Buffer.from([0x78, 0xff]))]), 400],
  ['a repeated field', post([...valid, part('message', 'Hello again')]), 400],
])('refuses %s', async (_, request, status) => {
  const contacts = await startContacts();
  expect((await contacts.create(request)).status).toBe(status);
});

it('names a repeated field', async () => {
  const contacts = await startContacts();
  const { body } = await contacts.create(post([...valid, part('message', 'Hello again')]));
  expect(body).toStrictEqual({ error: 'Bad Request', details: [{ field: 'message', message: expect.any(String) }] });
});
