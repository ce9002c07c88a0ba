import fc from 'fast-check';

const codePoint = fc
  .oneof(fc.nat({ max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((value) => String.fromCodePoint(value));

/** Text of any code points without lone surrogates. fast-check's unit `binary` would need a second and 130 MB for its table. */
export const anyText: fc.Arbitrary<string> = fc.string({ unit: codePoint });
