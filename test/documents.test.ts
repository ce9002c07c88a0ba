import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { faultCodes, parameterFaultCodes } from '../functions/http/faults.ts';

const documents = globSync(['*.md', 'docs/**/*.md', '.github/*.md']);

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

test('docs/errors.md lists every code of a detail, and no other', () => {
  const codes = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, code]) => code);
  expect(codes).toEqual([...faultCodes, ...parameterFaultCodes]);
});
