/** The first line begins with a name, whatever characters that has. */
const firstLine = /^(?<name>[^\n={}]{1,200})=/;

const maxNameLength = 64;

const asciiName = /^[\w.[\]-]+$/;

/** V8 checks a literal while it reads the file, which takes a while with this flag. */
const anyName = () => /^[\p{L}\p{M}\p{N}_.[\]-]+$/u;

/** The name with which a line begins. */
const nameAt = (text: string, start: number): string | undefined => {
  const beginning = text.slice(start, start + maxNameLength + 1);
  const name = beginning.slice(0, Math.max(0, beginning.indexOf('=')));
  return asciiName.test(name) || (/[^\0-\x7f]/.test(name) && anyName().test(name)) ? name : undefined;
};

/**
 * Reads `<form enctype="text/plain">`: https://html.spec.whatwg.org/#text/plain-encoding-algorithm
 * Nothing tells the lines of a text from the next field. So a line that begins with no usual name, or with one that came before,
 * continues the text above.
 */
export const readLines = (sent: string): ReadonlyMap<string, string> => {
  const text = sent.replaceAll(/\r\n?/g, '\n');
  const fields = new Map<string, string>();
  const first = firstLine.exec(text)?.groups?.['name'];
  if (first === undefined) return fields;
  let name = first;
  let start = first.length + 1;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) {
    const next = nameAt(text, end + 1);
    if (next === undefined || next === name || fields.has(next)) continue;
    fields.set(name, text.slice(start, end));
    name = next;
    start = end + next.length + 2;
  }
  return fields.set(name, text.slice(start));
};
