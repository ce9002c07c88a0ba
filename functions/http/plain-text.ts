/** The first line begins with a name, whatever characters that has. */
const firstLine = /^(?<name>[^\n={}]{1,200})=/;

const maxNameLength = 64;

const asciiName = /^[\w.[\]-]+$/;

/** V8 checks a literal while it reads the file, which takes a while with this flag. */
const anyName = () => /^[\p{L}\p{M}\p{N}_.[\]-]+$/u;

const isName = (text: string): boolean =>
  text.length <= maxNameLength && (asciiName.test(text) || (/[^\0-\x7f]/.test(text) && anyName().test(text)));

/**
 * Reads `<form enctype="text/plain">`: https://html.spec.whatwg.org/#text/plain-encoding-algorithm
 * Nothing tells the lines of a text from the next field. So a line that begins with no usual name, or with one that came before,
 * continues the text above.
 * @param max fields; of more, it reads one more
 */
export const readLines = (sent: string, max: number): ReadonlyMap<string, string> => {
  const text = sent.replaceAll(/\r\n?/g, '\n');
  const fields = new Map<string, string>();
  const first = firstLine.exec(text)?.groups?.['name'];
  if (first === undefined) return fields;
  let name = first;
  let start = first.length + 1;
  let equals = first.length;
  for (let end = text.indexOf('\n'); end !== -1 && fields.size < max; end = text.indexOf('\n', end + 1)) {
    if (equals < end) equals = text.indexOf('=', end);
    if (equals === -1) break;
    const next = text.slice(end + 1, equals);
    if (!isName(next) || next === name || fields.has(next)) continue;
    fields.set(name, text.slice(start, end));
    name = next;
    start = equals + 1;
  }
  return fields.set(name, text.slice(start));
};
