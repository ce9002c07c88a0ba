/** The first line begins with a name, whatever characters that has. */
const firstLine = /^(?<name>[^\n={}]{1,200})=/;

/** V8 checks a literal while it reads the file, which takes a while with this flag. */
const laterLine = () => /\n(?<name>[\p{L}\p{M}\p{N}_.[\]-]{1,64})=/gu;

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
  for (const { index, groups } of text.matchAll(laterLine())) {
    const next = groups?.['name'] ?? '';
    if (next === name || fields.has(next)) continue;
    fields.set(name, text.slice(start, index));
    name = next;
    start = index + next.length + 2;
  }
  return fields.set(name, text.slice(start));
};
