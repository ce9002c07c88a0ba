import { expect, it } from 'vitest';
import { uuidFromText } from '../../../functions/shared/uuid.ts';

// Idempotency keys live as long as their contact requests: the ids derived from them must never change.
it.each([
  ['Idempotency-Key:k', '8fda5eb3-6278-8087-ab51-99b110d6ef9d'],
  ['text', '982d9e3e-b996-8559-a633-f4d194def376'],
])('derives from %s always the same UUID', (text, uuid) => {
  expect(uuidFromText(text)).toBe(uuid);
});
