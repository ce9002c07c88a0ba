import { expect, it } from 'vitest';
import { minimal, startContacts } from '../../support/contacts.ts';

it.each([
  // NFC makes one character of four.
  ['after normalisation', 'company', '\u03b1\u0313\u0300\u0345'.repeat(200), '\u1f82'.repeat(200)],
  ['after line breaks become LF', 'message', `${'a\r\n'.repeat(2499)}bc`, `${'a\n'.repeat(2499)}bc`],
  ['after trimming', 'company', `${' '.repeat(20_000)}Analytical Engines${' '.repeat(20_000)}`, 'Analytical Engines'],
])('accepts a text that fits %s', async (_, name, sent, stored) => {
  const contacts = await startContacts();
  expect(await contacts.post({ ...minimal, [name]: sent })).toMatchObject({ status: 201, body: { [name]: stored } });
});

it('refuses texts that are too long to fit in any form', async () => {
  const contacts = await startContacts();
  const sent = { ...minimal, company: '\u1f82'.repeat(1601), message: 'x\u0301'.repeat(20_001) };
  expect(await contacts.post(sent)).toMatchObject({
    status: 400,
    body: {
      details: [
        { field: 'company', code: 'too_long' },
        { field: 'message', code: 'too_long' },
      ],
    },
  });
});
