/** A multipart body without the contents of its files. */
export interface SplitBody {
  /** All parts with their headers, those of files without their content. */
  readonly text: Buffer<ArrayBuffer>;
  /** The contents of the files, in order: parts of the body's own memory. */
  readonly contents: readonly Buffer[];
}

/** What says that a part is a file: RFC 7578, section 4.2. In a quoted name, it says nothing. */
const ofFile = /^content-disposition:(?:[^"\r\n]|"[^"\r\n]*")*?;[ \t]*filename\*?=/im;

const blankLine = '\r\n\r\n';

/** The end of the last part: https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1 */
const isEnd = (body: Buffer, at: number) => body.toString('latin1', at, at + 2) === '--';

/**
 * Takes the contents of files out of a body, so that what reads its text, in whatever encoding, never sees them. It does not check
 * the rest, since the parser of the text does.
 * @param maxParts it takes no content out of further parts
 * @param maxHead bytes of a part's headers, above which it is no file
 */
export const splitFiles = (
  body: Buffer<ArrayBuffer>,
  boundary: string,
  maxParts: number,
  maxHead: number,
): SplitBody => {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const text: Buffer[] = [];
  const contents: Buffer[] = [];
  let kept = 0;
  let start = body.indexOf(delimiter.subarray(2)) + delimiter.length - 2;
  for (let parts = 0; parts < maxParts && !isEnd(body, start); parts += 1) {
    const end = body.indexOf(delimiter, start);
    if (end === -1) break;
    const headEnd = body.subarray(start, Math.min(end, start + maxHead)).indexOf(blankLine);
    if (headEnd !== -1 && ofFile.test(body.toString('latin1', start, start + headEnd))) {
      const content = start + headEnd + blankLine.length;
      text.push(body.subarray(kept, content));
      contents.push(body.subarray(content, end));
      kept = end;
    }
    start = end + delimiter.length;
  }
  text.push(body.subarray(kept));
  return { text: Buffer.concat(text), contents };
};
