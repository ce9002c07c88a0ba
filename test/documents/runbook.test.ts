import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { alarmNames } from '../../lib/infrastructure/alarms.ts';
import { maxRecordAge } from '../../lib/infrastructure/notifications.ts';
import { sectionOf } from '../support/markdown.ts';

const document = readFileSync('docs/runbook.md', 'utf8');

test('docs/runbook.md has a section for each alarm and no other, and lists them in this order', () => {
  const sections = [...sectionOf(document, 'Alarms').matchAll(/^### (.*)$/gm)].map(([, name]) => name);
  const listed = [...sectionOf(document, 'When an alarm email arrives').matchAll(/\]\(#(\S+)\)/g)].map(
    ([, name]) => name,
  );
  expect(sections).toEqual(alarmNames);
  expect(listed).toEqual(alarmNames);
});

test('the documents say for how long fan-out is retried', () => {
  const read = (page: string) => readFileSync(`docs/${page}.md`, 'utf8');
  const texts = [
    ...['function-errors', 'fan-out-idle', 'fan-out-failures'].map((alarm) => sectionOf(document, alarm)),
    sectionOf(read('notifications'), 'Paused'),
    read('restore'),
  ];
  const hours = texts.map((text) => [...text.matchAll(/(\d+) hours/g)].map(([, number]) => Number(number)));
  expect(hours).toEqual(texts.map(() => [maxRecordAge.toHours()]));
});

test('the code has every log message and reason that docs/runbook.md tells people to look for', () => {
  const code = globSync('{functions,lib}/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const quoted = [
    ...document.matchAll(
      /(?:`|message = ")((?!(?:aws|bash|git|npm|npx) )[a-z][a-z-]*(?: [a-z][a-z-]*)+)(?: \d+ seconds)?[`"]/g,
    ),
  ];
  const messages = quoted.map(([, message = '']) => message);
  expect(messages).toEqual(expect.arrayContaining(['notification failed', 'origin refused', 'no response within']));
  // The code puts `secret` before what is wrong with one.
  expect(messages.filter((message) => !code.includes(message.replace(/^secret /, '')))).toEqual([]);
});
