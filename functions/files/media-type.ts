import { extensionOf } from './file-name.ts';
import { readOle } from './ole.ts';
import type { FileTypeName } from './type-names.ts';
import { type Archive, readZip } from './zip.ts';

/** What a file is, by its content. */
export interface MediaType {
  /** As the setting `files.types` names it. */
  readonly name: FileTypeName;
  readonly mediaType: string;
  /** The extensions of such files, the usual one first. */
  readonly extensions: readonly [string, ...string[]];
}

const typeOf = (name: FileTypeName, mediaType: string, ...extensions: MediaType['extensions']): MediaType => ({
  name,
  mediaType,
  extensions,
});

/** What people call the types, the same in every language. */
export const typeLabels: Readonly<Record<FileTypeName, string>> = {
  pdf: 'PDF',
  png: 'PNG',
  jpeg: 'JPEG',
  gif: 'GIF',
  webp: 'WebP',
  heic: 'HEIC',
  office: 'Word, Excel, PowerPoint',
  opendocument: 'OpenDocument',
  zip: 'ZIP',
  text: 'TXT, CSV',
};

/** Whether these bytes stand there, written in Latin-1. */
const has = (content: Buffer, bytes: string, at = 0): boolean =>
  content.toString('latin1', at, at + bytes.length) === bytes;

/** Brands of pictures in HEVC: https://nokiatech.github.io/heif/technical.html */
const heicBrands: readonly string[] = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx'];

/** The first brand says what the file is, unless that is the general one. */
const isHeic = (content: Buffer): boolean => {
  if (!has(content, 'ftyp', 4)) return false;
  const brands = content.toString('latin1', 8, Math.min(content.readUInt32BE(0), 64)).match(/.{4}/gs) ?? [];
  const [major = '', , ...others] = brands;
  return heicBrands.includes(major) || (major === 'mif1' && others.some((brand) => heicBrands.includes(brand)));
};

/** https://mimesniff.spec.whatwg.org/#matching-an-image-type-pattern */
const signatures: readonly (readonly [isOfType: (content: Buffer) => boolean, type: MediaType])[] = [
  [(content) => has(content, '%PDF-'), typeOf('pdf', 'application/pdf', 'pdf')],
  [(content) => has(content, '\x89PNG\r\n\x1a\n'), typeOf('png', 'image/png', 'png')],
  [(content) => has(content, '\xff\xd8\xff'), typeOf('jpeg', 'image/jpeg', 'jpg', 'jpeg', 'jpe', 'jfif')],
  [(content) => has(content, 'GIF87a') || has(content, 'GIF89a'), typeOf('gif', 'image/gif', 'gif')],
  [(content) => has(content, 'RIFF') && has(content, 'WEBP', 8), typeOf('webp', 'image/webp', 'webp')],
  [isHeic, typeOf('heic', 'image/heic', 'heic', 'heif')],
];

const zip = typeOf('zip', 'application/zip', 'zip');

const openXml = (kind: string, extension: string) =>
  typeOf('office', `application/vnd.openxmlformats-officedocument.${kind}`, extension);

/** The type of its main part tells what a document of Office is: ECMA-376, part 1. */
const officeTypes: readonly (readonly [main: string, type: MediaType])[] = [
  ['wordprocessingml.document.main+xml', openXml('wordprocessingml.document', 'docx')],
  ['spreadsheetml.sheet.main+xml', openXml('spreadsheetml.sheet', 'xlsx')],
  ['presentationml.presentation.main+xml', openXml('presentationml.presentation', 'pptx')],
  ['presentationml.slideshow.main+xml', openXml('presentationml.slideshow', 'ppsx')],
];

const openDocument = (kind: string, extension: string) =>
  typeOf('opendocument', `application/vnd.oasis.opendocument.${kind}`, extension);

const openDocumentTypes = [
  openDocument('text', 'odt'),
  openDocument('spreadsheet', 'ods'),
  openDocument('presentation', 'odp'),
  openDocument('graphics', 'odg'),
];

/** Macros of Office and of LibreOffice. */
const isMacro = (name: string) => /(?:^|\/)vbaproject\.bin$|^xl\/macrosheets\/|^(?:basic|scripts)\//.test(name);

/** Programs of Java, Android and Windows are archives, too. */
const programs: readonly string[] = ['meta-inf/manifest.mf', 'androidmanifest.xml', 'appxmanifest.xml'];

/** @returns undefined for a document with macros, and for a program */
const ofZip = ({ names, read }: Archive): MediaType | undefined => {
  const contentTypes = read('[content_types].xml')?.toLowerCase() ?? '';
  const mimeType = read('mimetype') ?? '';
  if (['macroenabled', 'vbaproject'].some((word) => contentTypes.includes(word))) return undefined;
  const document =
    officeTypes.find(([main]) => contentTypes.includes(main))?.[1] ??
    openDocumentTypes.find(({ mediaType }) => mimeType === mediaType);
  if (document === undefined) return names.some((name) => programs.includes(name)) ? undefined : zip;
  return names.some(isMacro) ? undefined : document;
};

/** What the old formats of Office keep their text in. */
const oleTypes: readonly (readonly [stream: string, type: MediaType])[] = [
  ['worddocument', typeOf('office', 'application/msword', 'doc', 'dot')],
  ['workbook', typeOf('office', 'application/vnd.ms-excel', 'xls', 'xlt')],
  ['powerpoint document', typeOf('office', 'application/vnd.ms-powerpoint', 'ppt', 'pps', 'pot')],
];

const oleMacros: readonly string[] = ['macros', 'vba', '_vba_project', '_vba_project_cur'];

/** @returns undefined for a document with macros, and for what is none: installers and saved emails are such containers, too */
const ofOle = (names: ReadonlySet<string>): MediaType | undefined =>
  oleMacros.some((name) => names.has(name)) ? undefined : oleTypes.find(([stream]) => names.has(stream))?.[1];

const text = typeOf('text', 'text/plain', 'txt', 'text', 'csv', 'tsv', 'md', 'log');

/** Control characters that no text has. */
const controls = /[^\t-\r -\u00ff]/;

/** How markup, scripts, and documents that can do more than show text begin. */
const notPlain = /^(?:\xef\xbb\xbf)?\s*(?:<|#!|%!|@echo\b|\{\\rtf)/i;

/** Bytes in which a browser looks for markup: https://mimesniff.spec.whatwg.org/#reading-the-resource-header */
const sniffed = 1_445;

/** In any encoding that has ASCII. Only the name of a text tells whether a program would run it. */
const isText = (content: Buffer, fileName: string): boolean => {
  const extension = extensionOf(fileName);
  if (extension !== undefined && !text.extensions.includes(extension)) return false;
  const bytes = content.toString('latin1');
  return !controls.test(bytes) && !notPlain.test(bytes.slice(0, sniffed));
};

/** What begins a page or a picture with scripts, even within another format. */
const markup = /<(?:!doctype|html|head|body|script|svg|iframe|\?php)/i;

/**
 * What a file is, by its content alone, but for a text.
 * @param fileName what can be seen of its name
 * @returns undefined for what no form accepts
 */
export const mediaTypeOf = (content: Buffer, fileName: string): MediaType | undefined => {
  if (markup.test(content.toString('latin1', 0, sniffed))) return undefined;
  const bySignature = signatures.find(([isOfType]) => isOfType(content))?.[1];
  if (bySignature) return bySignature;
  if (has(content, 'PK\x03\x04')) {
    const archive = readZip(content);
    return archive && ofZip(archive);
  }
  const names = readOle(content);
  if (names) return ofOle(names);
  return isText(content, fileName) ? text : undefined;
};
