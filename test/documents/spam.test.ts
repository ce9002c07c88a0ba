import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { spamReasons } from '../../functions/contacts/spam.ts';
import { startStaff, store } from '../staff/staff.ts';

const document = readFileSync('docs/spam.md', 'utf8');

test('docs/spam.md explains every reason of a mark, and no other', () => {
  const [, rows = ''] = /^\| reason \|.*\n\|.*\n((?:\|.*\n)+)/m.exec(document) ?? [];
  expect([...rows.matchAll(/^\| `(.*?)`/gm)].map(([, reason]) => reason)).toEqual(spamReasons);
});

test('docs/spam.md shows the spam as the staff command lists it on a terminal', async () => {
  const [, shown] = /^```\n(\d.*?)^```$/ms.exec(document) ?? [];
  const staff = await startStaff();
  const fields = { email: 'ada@example.com', message: 'Hello!' };
  const id = await store(staff, fields, { spam: 'trap', site: 'https://www.example.com' });
  const { stdout } = await staff.run(['contacts', 'list', '--spam'], { terminals: ['stdout'], columns: 80 });
  expect(stdout.replace(id, '5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11')).toBe(shown);
});
