import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { fieldNames } from '../../functions/contacts/contact.ts';
import { openApiDocument } from '../../lib/openapi/document.ts';
import { minimal, startContacts } from '../support/contacts.ts';

const schema = v.parse(
  v.record(v.string(), v.unknown()),
  JSON.parse(JSON.stringify(openApiDocument.components.schemas.NewContactRequest)),
);
const validate = new Ajv2020({ strict: false, formats: fullFormats }).compile(schema);

/** Of every kind, around every bound. Blanks are left out: the service takes them for absent, the document in words. */
const values = [
  ...['x', 'Zoë', '👋🏽', 'e\u0301', 'two\nlines', 'a tab\there', 'a bell\u0007', 'a\u007fb', 'a\u0085b', 'a\u00a0b'],
  ...['ada@example.com', 'ada@', 'ada@-', '+1 (555) 010-0.1/2x3#', '1-2 3', '12', '12x', '123a'],
  ...[32, 33, 100, 101, 200, 201, 2000, 2001, 5000, 5001].flatMap((length) => [
    '1'.repeat(length),
    '👋'.repeat(length),
  ]),
  ...[254, 255].map((length) => `${'x'.repeat(length - '@example.com'.length)}@example.com`),
  ...[0, -1.5, Number.MAX_SAFE_INTEGER, 2 ** 53, -(2 ** 53), 1e300, true, false],
  ...[{}, { a: 'x' }, ['x', 2, true], ['x', {}], [['x']], ['x'.repeat(2001)], [2 ** 53]],
];

/** Expects of the service what the document says of a body. */
const expectAgreement = async (bodies: readonly object[]) => {
  const { post } = await startContacts();
  const taken = new Set<boolean>();
  for (const body of bodies) {
    const isValid = validate(body);
    taken.add(isValid);
    const { status, text } = await post(body);
    expect(status, `${JSON.stringify(body)}: ${JSON.stringify(validate.errors)}, ${text}`).toBe(isValid ? 201 : 400);
  }
  expect(taken.size).toBe(2);
};

test.each([...fieldNames, 'topic'])(
  'the service takes of %s what the document lets a client send, no more, no less',
  (name) => expectAgreement(values.map((value) => ({ ...minimal, [name]: value }))),
);

test('the service takes the names that the document lets a client send', () => {
  const names = ['x', 'x'.repeat(64), 'x'.repeat(65), '👋'.repeat(64), '👋'.repeat(65), '', 'a b', 'a\nb', 'a\u0080b'];
  return expectAgreement(names.map((name) => ({ ...minimal, [name]: 'x' })));
});

test('the service takes the combinations of fields that the document lets a client send', () => {
  const [message, email, phone] = [{ message: 'Hello' }, { email: 'ada@example.com' }, { phone: '555 0100' }];
  return expectAgreement([
    ...[{}, message, email, phone],
    ...[
      { ...message, ...email },
      { ...message, ...phone },
      { ...email, ...phone },
      { ...message, ...email, ...phone },
    ],
    { ...message, topic: 'x' },
  ]);
});
