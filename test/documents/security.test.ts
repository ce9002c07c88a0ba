import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { now, startStaff, store } from '../staff/staff.ts';
import { blocksIn } from '../support/markdown.ts';

const document = readFileSync('docs/security.md', 'utf8');

/** The block of code in the document that begins so. */
const blockOf = (beginning: string) => blocksIn(document).find((code) => code.startsWith(beginning));

test('docs/security.md shows what an erasure asks and prints', async () => {
  const staff = await startStaff();
  const email = 'ada@example.com';
  const older = { createdAt: new Date(now.getTime() - 1000) };
  const ids = [await store(staff, { email }), await store(staff, { extra: { friend: email } }, older)].toSorted();
  const { stdout, stderr } = await staff.run(['contacts', 'erase', '--email', '-'], {
    input: `${email}\ny\n`,
    terminals: ['stdin'],
    stack: { name: 'ContactService-prod', account: '123456789012', region: 'eu-central-1' },
  });
  // What is typed at a terminal is no output of the command.
  expect(stderr).toBe(blockOf('Email address: ')?.replace(`${email}\n`, '').replace('y\n', ''));

  const shownIds = /^[\da-f-]{36}$/gm;
  const shown = blockOf('Erased ')?.replaceAll(shownIds, () => ids.shift() ?? 'more than there are');
  const written = stdout
    .replace(' in local,', ' in prod,')
    .replace(/(?<=: email, phone, ).*(?=, names of extra fields\.)/, '…');
  expect(written).toBe(shown);
  expect(ids).toEqual([]);
});
