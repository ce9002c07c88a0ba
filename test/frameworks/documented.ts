import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const document = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'frameworks.md'), 'utf8');

const [introduction = '', ...sections] = document.split(/^## /m);

/** The headings of docs/frameworks.md: a framework each. */
export const headings = sections.map((section) => section.slice(0, section.indexOf('\n')));

/** The files that a section of docs/frameworks.md shows: their contents, by their paths in a project. */
export const filesIn = (heading: string): ReadonlyMap<string, string> => {
  const section = sections.find((each) => each.startsWith(`${heading}\n`)) ?? '';
  const blocks = section.matchAll(/`([^`\n]+)`:\n\n```\w+\n(.*?)^```$/gms);
  return new Map([...blocks].map(([, path = '', content = '']) => [path, content]));
};

/** Where docs/frameworks.md says that contact-form.js goes. */
export const scriptPathOf = (heading: string): string => {
  const row = introduction.split('\n').find((line) => line.includes(`[${heading}](`));
  const [, path] = /\| `([^`]*contact-form\.js)` \|/.exec(row ?? '') ?? [];
  if (path === undefined) throw new Error(`docs/frameworks.md does not say where contact-form.js goes in ${heading}.`);
  return path;
};
