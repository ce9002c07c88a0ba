import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { errorCodes, isOfBody } from '../../../functions/http/errors.ts';

const script = readFileSync('example-site/contact-form.js', 'utf8');

it('contact-form.js knows which codes concern the body as a whole', () => {
  const [, pattern] = /field === 'body' && \/(.+)\/\.test\(code\)/.exec(script) ?? expect.fail('no such line');
  const known = new RegExp(String(pattern));
  const codes = errorCodes.filter((code) => isOfBody({ field: 'body', code, limit: 1, requirement: 'other' }));
  expect(errorCodes.filter((code) => known.test(code))).toStrictEqual(codes);
});
