import { cleanText } from '../shared/text.ts';

/** Characters of a name, with its extension. */
const maxLength = 100;

/** UTF-16 code units that are looked at: no name that people give is longer. */
const maxRead = 500;

/** What nobody can see, or what changes the direction of what follows: `cv\u202Efdp.exe` looks like `cvexe.pdf`. */
const invisible = () => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

/** The last part of a path. Old browsers sent the whole path. */
const lastPart = (path: string): string => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);

const extensionPattern = /\.(?<extension>[A-Za-z0-9]{1,8})$/;

/** The extension of a name, without its full stop, in lower case; undefined if it has none. */
export const extensionOf = (name: string): string | undefined =>
  extensionPattern.exec(name)?.groups?.['extension']?.toLowerCase();

/** The name of a file without what cannot be seen. No dots at its beginning, which hide a file, or at its end, which Windows drops. */
export const visibleName = (sent: string): string => {
  const last = lastPart(sent);
  const read = last.length > maxRead ? last.slice(0, maxRead / 2) + last.slice(-maxRead / 2) : last;
  return cleanText(read.toWellFormed().replaceAll(invisible(), '')).replaceAll(/^[.\s]+|[.\s]+$/g, '');
};

/**
 * The name of a file as it is shown, and as staff save it. Its extension fits the content, so a file opens as what it is, whatever
 * it was called.
 * @param name what can be seen of it
 * @param extensions of its type, the usual one first
 */
export const fileNameOf = (name: string, extensions: readonly [string, ...string[]]): string => {
  const extension = extensionOf(name);
  const [usual] = extensions;
  const fits = extension !== undefined && extensions.includes(extension);
  const [stem, end] = fits
    ? [name.slice(0, -extension.length - 1), name.slice(-extension.length - 1)]
    : [name, `.${usual}`];
  const characters = [...(stem === '' ? 'file' : stem)].slice(0, maxLength - end.length);
  return `${characters.join('').trimEnd()}${end}`;
};
