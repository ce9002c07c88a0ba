import fc from 'fast-check';

const codePoint = fc
  .oneof(fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((value) => String.fromCodePoint(value));

/** Text of any code points but halves of a pair. The unit `binary` writes itself a table of them first: a second, and 130 MB. */
export const anyText: fc.Arbitrary<string> = fc.string({ unit: codePoint });
