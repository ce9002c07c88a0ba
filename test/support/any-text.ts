import fc from 'fast-check';

const codePoint = fc
  .oneof(fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((value) => String.fromCodePoint(value));

/** Well-formed text of any code points. fast-check's unit `binary` would first build a table: a second, and 130 MB. */
export const anyText: fc.Arbitrary<string> = fc.string({ unit: codePoint });
