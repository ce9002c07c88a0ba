import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { languages } from '../functions/contacts/languages/languages.ts';
import { faultCodes, parameterFaultCodes } from '../functions/http/errors.ts';
import { opened, runCommand } from './staff/staff.ts';

const documents = globSync(['*.md', 'docs/**/*.md', 'examples/*.md', '.github/*.md']);

/** A heading's anchor, as the forge makes it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsIn = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

test.each(documents)('every link in %s leads to a file or a heading that is there', (document) => {
  const links = readFileSync(document, 'utf8').matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g);
  const dead = [...links].filter(([, path = '', anchor]) => {
    const file = path === '' ? document : join(dirname(document), path);
    return !existsSync(file) || (anchor !== undefined && !anchorsIn(file).includes(anchor));
  });
  expect(dead.map(([link]) => link)).toEqual([]);
});

test.each(documents)('%s holds nothing of a merge that was not ended', (document) => {
  expect(readFileSync(document, 'utf8')).not.toMatch(/^(<{7}|={7}|>{7})( |$)/m);
});

/** What the staff command sends people to. */
const pointers = globSync('lib/staff/**/*.ts').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/\b(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g)].map(
    ([pointer, path = '', anchor]) => ({ file, pointer, path, anchor }),
  ),
);

test('every document that the staff command names is there, with that heading', () => {
  expect(pointers.length).toBeGreaterThan(10);
  const dead = pointers.filter(
    ({ path, anchor }) => !existsSync(path) || (anchor !== undefined && !anchorsIn(path).includes(anchor)),
  );
  expect(dead).toEqual([]);
});

/** The staff commands that a file shows with what they are given, where a reader puts in their own something in its place. */
const staffCommandsIn = (file: string): string[][] => {
  const shown =
    /(?:npx crcs |`)((?:doctor|(?:campaigns|contacts|notifications|tables|tokens) [a-z-]+) (?:<[^>\n]*>|[^\n`|)<>])+)/g;
  return [...readFileSync(file, 'utf8').matchAll(shown)].map(([, line = '']) => {
    const given = line.replaceAll('<id>', '5f0c9a52-7f0e-4a3b-9c39-2f6b1f1f0a11').replaceAll(/<\w+>/g, 'some');
    const words = [...given.matchAll(/"(.*?)"|'(.*?)'|(\S+)/g)].map(
      ([, one, other, plain]) => one ?? other ?? plain ?? '',
    );
    // An operator may have no environment of that name, and some commands do not run on `local`.
    return words.map((word, index) => (words[index - 1] === '--env' ? 'dev' : word));
  });
};

// Changes tell of their time.
const withStaffCommands = documents.filter((file) => !file.includes('CHANGELOG') && staffCommandsIn(file).length > 0);

test.each(withStaffCommands)('every staff command in %s is one that there is, with such options', async (document) => {
  const mistakes: string[] = [];
  for (const words of staffCommandsIn(document)) {
    const { stderr } = await runCommand(words, { input: 'ada@example.com\n' });
    if (!['', opened].includes(stderr)) mistakes.push(`${words.join(' ')}: ${stderr}`);
  }
  expect(mistakes).toEqual([]);
});

test('docs/errors.md lists every code of a detail, and no other', () => {
  const codes = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, code]) => code);
  expect(codes).toEqual([...faultCodes, ...parameterFaultCodes]);
});

/** The form that a file shows, without its place in the page, and without what chooses how a script sends it. */
const formIn = (file: string) => {
  const [, indent = '', form = ''] = /^( *)(<form .*?<\/form>)$/ms.exec(readFileSync(file, 'utf8')) ?? [];
  return form.replaceAll(`\n${indent}`, '\n').replace(' data-send="json"', '');
};

test.each(['example-site/index.html', 'example-site/json.html', 'example-site/plain.html'])(
  'the form of %s is that of the README',
  (page) => {
    expect(formIn('README.md')).toContain('name="message"');
    expect(formIn(page)).toBe(formIn('README.md'));
  },
);

/** The words that a file has for the script, by language. */
const textsIn = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/^const texts = \{\n(.*?)^\};$/gms)].map(([, entries = '']) => {
    const texts = new Map(
      [...entries.matchAll(/^ {2}(\w+): '(.*)',$/gm)].map(([, name = '', text = '']) => [name, text]),
    );
    return [texts.get('language'), texts] as const;
  });

test("docs/forms.md has the script's words in every language, and of a mistake those of the service", () => {
  const [[, english] = []] = textsIn('example-site/contact-form.js');
  const ready = new Map(textsIn('docs/forms.md'));
  const others = languages.filter(({ tag }) => tag !== 'en');
  expect([...ready.keys()]).toEqual(others.map(({ tag }) => tag));
  for (const { tag, faults } of others) {
    const { too_long, invalid_email, invalid_phone } = faults;
    const texts = ready.get(tag);
    expect([...(texts?.keys() ?? [])]).toEqual([
      ...(english?.keys() ?? []),
      'required',
      ...Object.keys({ too_long, invalid_email, invalid_phone }),
    ]);
    expect(Object.fromEntries(texts ?? [])).toMatchObject({ too_long, invalid_email, invalid_phone });
    for (const name of ['429', '503']) expect(texts?.get(name)).toContain('{when}');
  }
});

test.each(globSync('examples/*.{mjs,py,sh}'))('%s stays short, and says what it needs', (file) => {
  const script = readFileSync(file, 'utf8');
  expect(script.trimEnd().split('\n').length).toBeLessThan(120);
  for (const said of [/^\W*Needs \w/m, /\bSmallest token: (contacts|campaigns):read\b/]) expect(script).toMatch(said);
});

test('the script that is copied stays short, and needs nothing but a browser', () => {
  const script = readFileSync('example-site/contact-form.js', 'utf8');
  expect(script.trimEnd().split('\n').length).toBeLessThan(100);
  expect(script).not.toMatch(/^import\b|\bimport\(|\brequire\(/m);
});
