import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { changeErrorCodes, errorCodes, headerErrorCodes, parameterErrorCodes } from '../functions/http/errors.ts';
import { formFields } from '../functions/names/service-fields.ts';
import { tokenError } from '../lib/infrastructure/gateway-responses.ts';
import { settingNames } from '../lib/infrastructure/settings.ts';
import { localVariables } from '../lib/local/local-settings.ts';
import { serverVariables } from '../lib/local/server-settings.ts';
import { readDocument } from './openapi/document.ts';
import { opened, runCommand } from './staff/staff.ts';
import { codesIn, formIn, sectionOf, tablesIn } from './support/markdown.ts';

const read = (file: string) => readFileSync(file, 'utf8');

const documents = globSync(['*.md', 'docs/**/*.md', '.github/*.md']);

/** A heading's anchor, as GitHub makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
    .replaceAll(' ', '-');

const exists = (file: string, anchor?: string) =>
  existsSync(file) &&
  (anchor === undefined ||
    [...read(file).matchAll(/^#+ (.*)$/gm)].some(([, heading = '']) => anchorOf(heading) === anchor));

test('every link in a document leads to a file and a heading that exist', () => {
  const dead = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)]
      .filter(([, path = '', anchor]) => !exists(path === '' ? document : join(dirname(document), path), anchor))
      .map(([link]) => `${document}: ${link}`),
  );
  expect(dead).toEqual([]);
});

test('every document and heading that the code mentions exists', () => {
  const pointers = globSync('{bin,functions,lib}/**/*.ts').flatMap((file) =>
    [...read(file).matchAll(/\b(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g)].map((pointer) => ({ file, pointer })),
  );
  const dead = pointers.filter(({ pointer: [, path = '', anchor] }) => !exists(path, anchor));
  expect(dead.map(({ file, pointer: [text] }) => `${file}: ${text}`)).toEqual([]);
});

/** The staff commands that a file shows, as words, with example values in place of `<…>`. */
const staffCommandsIn = (file: string): string[][] => {
  const shown =
    /(?:npx --no-install crcs |^crcs |`)((?:backup|doctor|(?:campaigns|contacts|notifications|secrets|tables|tokens) [a-z-]+) (?:<[^>\n]*>|[^\n`|)<>])+)/gm;
  return [...read(file).matchAll(shown)].map(([, line = '']) => {
    const given = line.replaceAll('<id>', '5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11').replaceAll(/<\w+>/g, 'some');
    const words = [...given.matchAll(/"(.*?)"|'(.*?)'|(\S+)/g)].map(
      ([, one, other, plain]) => one ?? other ?? plain ?? '',
    );
    // The project may lack the environment, and some commands do not run on `local`.
    return words.map((word, index) => (words[index - 1] === '--env' ? 'dev' : word));
  });
};

test('nothing tells people to type npx crcs, which runs a package of a stranger outside the checkout', () => {
  const files = [...documents, ...globSync('{bin,examples,functions,inbox,lib}/**/*.{ts,cjs,js,html,py,sh}')];
  const explaining = 'CHANGELOG.md';
  expect(files.filter((file) => file !== explaining && /npx crcs\b/.test(read(file)))).toEqual([]);
});

test('every staff command in a document exists, with its options', async () => {
  const errors: string[] = [];
  for (const document of documents) {
    for (const words of staffCommandsIn(document)) {
      const { stderr } = await runCommand(words, { input: 'ada@example.com\n' });
      if (!['', opened].includes(stderr)) errors.push(`${document}: ${words.join(' ')}: ${stderr}`);
    }
  }
  expect(errors).toEqual([]);
});

/** The rows of a section's tables: the names in code of the first cell, and the second cell. */
const rowsOf = (file: string, heading: string) =>
  tablesIn(sectionOf(read(file), heading))
    .flat()
    .map(([names, rest = '']) => ({ names: codesIn(names), rest }));

test('docs/api.md has every error code, and no other', () => {
  expect(rowsOf('docs/api.md', 'Errors').flatMap(({ names }) => names)).toEqual([
    ...errorCodes,
    ...headerErrorCodes,
    ...parameterErrorCodes,
    ...changeErrorCodes,
    tokenError.code,
  ]);
});

test('docs/api.md has the maximum length of every field', () => {
  const properties = Object.entries(
    readDocument().document.components.schemas['ContactRequestInput']?.properties ?? {},
  );
  const lengths = rowsOf('docs/api.md', 'Fields').flatMap(({ names, rest }) => {
    const [, length] = /([\d,]+) characters/.exec(rest) ?? [];
    return names.map((name) => [name, Number(length?.replace(',', ''))]);
  });
  expect(Object.fromEntries(lengths)).toEqual(
    Object.fromEntries(properties.map(([name, { maxLength }]) => [name, maxLength])),
  );
});

test('docs/settings.md has every setting, and no other', () => {
  const names = rowsOf('docs/settings.md', 'All settings').flatMap((row) => row.names);
  expect(names.toSorted()).toEqual(settingNames.toSorted());
});

test('docs/local.md has every variable of npm start, and no other', () => {
  const names = rowsOf('docs/local.md', 'Variables').flatMap((row) => row.names);
  expect(names.toSorted()).toEqual(localVariables.toSorted());
});

test('docs/server.md has every variable of a server, and no other', () => {
  const names = rowsOf('docs/server.md', 'Variables').flatMap(({ names: [first = ''] }) => first);
  expect(names.toSorted()).toEqual(serverVariables.toSorted());
});

test('docs/forms.md has every field of other services but traps, and no other', () => {
  const { traps: _, ...others } = formFields;
  const names = rowsOf('docs/forms.md', 'Fields that other services use').flatMap((row) => row.names);
  expect(names.toSorted()).toEqual(Object.values(others).flat().toSorted());
});

/** The form in a file, without `data-send` and `data-utm`. */
const copiedForm = (file: string) => formIn(read(file)).replace(/ data-(send="json"|utm)/, '');

test.each(['index', 'json', 'plain', 'spring-sale'].map((name) => `example-site/${name}.html`))(
  '%s has the same form as the README',
  (page) => {
    expect(copiedForm('README.md')).toContain('name="message"');
    expect(copiedForm(page)).toBe(copiedForm('README.md'));
  },
);
