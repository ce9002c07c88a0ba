import { expect, it } from 'vitest';
import { displayNameOf } from '../../../functions/names/display-name.ts';

const least = { id: '5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11', createdAt: '2026-03-01T12:00:00.000Z', message: 'Hello' };

it.each([
  [{ firstName: 'Ada', lastName: 'Byron' }, 'Ada Byron'],
  [{ firstName: 'Ada' }, 'Ada'],
  [{ lastName: 'Byron' }, 'Byron'],
  [{ email: 'ada@example.com', extra: { name: 'Ada Byron' } }, 'Ada Byron'],
  [{ firstName: 'Ada', extra: { Nom: 'Byron' } }, 'Ada Byron'],
  [{ lastName: 'Byron', extra: { Nombre: 'Ada' } }, 'Ada Byron'],
  [{ firstName: 'Ada', extra: { name: 'Ada Byron' } }, 'Ada Byron'],
  [{ firstName: 'Ada', lastName: 'Byron', extra: { name: 'Lovelace' } }, 'Ada Byron'],
  [{ email: 'ada@example.com', extra: { name: 'Ada Byron', from_name: 'The site' } }, 'Ada Byron'],
  [{ email: 'ada@example.com', extra: { from_name: 'Ada Byron' } }, 'Ada Byron'],
  [{ email: 'ada@example.com', extra: { 'your-name': 'Ada Byron' } }, 'Ada Byron'],
  [{ email: 'ada@example.com', extra: { 'Full Name': 'Ada Byron' } }, 'Ada Byron'],
  [{ email: 'ada@example.com', extra: { 'Nombre y apellidos': 'Ada Byron' } }, 'Ada Byron'],
  [{ email: 'ada@example.com', extra: { 'Vollständiger Name': 'Ada Byron' } }, 'Ada Byron'],
  [{ email: 'ada@example.com', extra: { Nom: ' ', name: 'Ada Byron' } }, 'Ada Byron'],
  [{ email: 'ada@example.com', extra: { pet_name: 'Rex', surname_at_birth: 'Byron' } }, 'ada@example.com'],
  [{ phone: '555', extra: { name: ['Ada', 'Byron'] } }, 'Ada Byron'],
  [{ phone: '555', extra: { nama_pemesan: 'Ada Byron' } }, 'Ada Byron'],
  [{ phone: '555', extra: { 'Jméno a příjmení': 'Ada Byron' } }, 'Ada Byron'],
  [{ phone: '555', extra: { お名前: '花子' } }, '花子'],
  [{ phone: '555', extra: { topic: 'An order' } }, '555'],
  [{ email: 'ada@example.com', phone: '555' }, 'ada@example.com'],
  [{}, undefined],
  [{ firstName: '\u200b', phone: '555' }, '555'],
  // Invisible letters and an invisible symbol.
  [{ firstName: '\u3164', lastName: '\u2800\uffa0', phone: '555' }, '555'],
])('calls the visitor of %o %s', (fields, name) => {
  expect(displayNameOf({ ...least, ...fields })).toBe(name);
});
