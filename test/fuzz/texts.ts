import fc from 'fast-check';

/** Stands in much of what is sent, and may stand in no line of the service's log. */
export const marker = 'zq7mark';

/** Characters at which a text may be cut, counted, folded or refused wrongly. */
const characters = [
  ...['a', 'Z', '0', ' ', '.', ',', ';', '=', '+', '-', '@', '&', '%', '%zz', '"', "'", '<', '\\', '#'],
  ...[
    'é',
    'e\u0301',
    'ß',
    'Å',
    '가',
    '\u1100\u1161\u11a8',
    'ﬁ',
    '💩',
    '👩‍👩‍👧',
    'م',
    '\u202e',
    '\u200d',
    '\ufeff',
    '\u00a0',
    '\u3000',
  ],
];
const lineBreaks = ['\n', '\r\n', '\t'];

const controls = fc.constantFrom('\0', '\u0007', '\u001b', '\u007f', '\u0085', '\u009f');

const join = (parts: readonly string[]) => parts.join('');

/** Half of a surrogate pair: a JSON text can hold one, a form cannot. */
const half = fc.constantFrom('\ud83d', '\udca9');

/** A text about as long as a field may be, of characters that count in different ways. */
const around = (limit: number) =>
  fc
    .tuple(fc.constantFrom('x', 'é', 'e\u0301', '💩', '\u1100\u1161\u11a8'), fc.integer({ min: -1, max: 1 }))
    .map(([unit, more]) => unit.repeat(limit + more));

/** Any text for a field that takes so many characters. */
export const textOf = (limit: number, allowed: readonly string[] = characters): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.array(fc.constantFrom(...allowed), { minLength: 1, maxLength: 12 }).map(join) },
    { weight: 6, arbitrary: fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).map((text) => marker + text) },
    { weight: 2, arbitrary: fc.constantFrom('', ' ', '\n', '\u00a0 \ufeff', 'a\nb', marker, 'null', '=1+1', '0') },
    { weight: 2, arbitrary: around(limit) },
    { weight: 1, arbitrary: fc.tuple(fc.string({ maxLength: 5 }), controls, fc.string({ maxLength: 5 })).map(join) },
    { weight: 1, arbitrary: fc.tuple(fc.string({ maxLength: 5 }), half, fc.constantFrom('', 'x')).map(join) },
    // Blanks and combining marks that cost time, and shrink to little or nothing.
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 6_000 }).map((count) => `a${'\u0301\u0316'.repeat(count)}`) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 10_000 }).map((count) => `${' '.repeat(count)}a`) },
  );

export const message = textOf(5000, [...characters, ...lineBreaks]);

const label = fc.string({ unit: fc.constantFrom('a', 'B', '0', '-'), minLength: 1, maxLength: 8 });

export const email: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 16,
    arbitrary: fc
      .tuple(
        fc.string({ unit: fc.constantFrom(...'abzAZ09.!#$%&*+/=?^_`{|}~-'), minLength: 1, maxLength: 10 }),
        fc.array(label, { minLength: 1, maxLength: 3 }),
      )
      .map(([local, labels]) => `${marker}${local}@${labels.join('.')}`),
  },
  { weight: 2, arbitrary: fc.constantFrom(`${marker}@example.com`, ` ${marker}@example.com\n`, `${marker}@localhost`) },
  { weight: 1, arbitrary: fc.integer({ min: 240, max: 256 }).map((size) => `${'x'.repeat(size - 12)}@example.com`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(`${marker}@`, '@example.com', `${marker} x@example.com`, `${marker}@é.example`),
  },
  { weight: 1, arbitrary: textOf(254) },
);

export const phone: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: fc.constantFrom(...'0123456789+()-./ x#'), maxLength: 34, minLength: 6 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('+1 (555) 0100', '555', '55', '٣٣٣', '555 0100 x1', '0'.repeat(32), '0'.repeat(33)),
  },
  { weight: 1, arbitrary: textOf(32) },
);
