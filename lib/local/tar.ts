/** The unit of an archive, in bytes. */
const block = 512;

interface TarFile {
  /** Its path in the archive, with `/`. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly mtime: Date;
}

const octal = (value: number, length: number) => value.toString(8).padStart(length - 1, '0');

/** @param type `0` is a file, `x` holds records about the next header */
const header = ({ name, size, mtime }: TarFile, type: '0' | 'x'): Buffer => {
  const bytes = Buffer.alloc(block);
  // https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06
  bytes.write(name, 0, 100);
  bytes.write(octal(0o600, 8), 100);
  bytes.write(octal(0, 8), 108);
  bytes.write(octal(0, 8), 116);
  bytes.write(octal(size, 12), 124, 11);
  bytes.write(octal(Math.floor(mtime.getTime() / 1000), 12), 136, 11);
  bytes.write(' '.repeat(8), 148);
  bytes.write(type, 156);
  bytes.write('ustar\x0000', 257);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${octal(sum, 7)}\0 `, 148);
  return bytes;
};

/** A record counts its own length, too. */
const record = (key: string, value: string | number): string => {
  const rest = ` ${key}=${value}\n`;
  const length = (digits: number): number => {
    const total = digits + Buffer.byteLength(rest);
    return String(total).length === digits ? total : length(digits + 1);
  };
  return `${length(1)}${rest}`;
};

/** Zeros from the end of a file to the next block. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((block - (size % block)) % block);

/** The header of a file, which only its owner may read. What has no room in it goes before it into records. */
export const tarHeader = (file: TarFile): Buffer => {
  const records = [
    ...(Buffer.byteLength(file.name) > 100 ? [record('path', file.name)] : []),
    ...(file.size >= 8 ** 11 ? [record('size', file.size)] : []),
  ].join('');
  if (records === '') return header(file, '0');
  const content = Buffer.from(records);
  const before = header({ name: 'records', size: content.length, mtime: file.mtime }, 'x');
  const fitting = { ...file, name: file.name.slice(0, 100), size: file.size >= 8 ** 11 ? 0 : file.size };
  return Buffer.concat([before, content, tarPadding(content.length), header(fitting, '0')]);
};

/** Ends an archive. */
export const tarEnd = Buffer.alloc(2 * block);
