import { crc32, deflateRawSync } from 'node:zlib';

interface ZipOptions {
  readonly deflate?: boolean;
  /** Between the directory and its end. */
  readonly gap?: string;
  /** Behind the directory's end. */
  readonly tail?: string;
}

/** A ZIP with these entries. */
export const zipOf = (
  entries: Readonly<Record<string, string | Buffer>>,
  { deflate = true, gap = '', tail = '' }: ZipOptions = {},
): Buffer => {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const content = Buffer.from(text);
    const isDeflated = deflate && name !== 'mimetype';
    const data = isDeflated ? deflateRawSync(content) : content;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(isDeflated ? 8 : 0, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const head = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name)]);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), common, place, Buffer.from(name));
    parts.push(head, data);
    offset += head.length + data.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(entries).length, 4);
  end.writeUInt16LE(Object.keys(entries).length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, Buffer.from(`${gap}PK\x05\x06`), end, Buffer.from(tail)]);
};

/** A document of Office, of whose content types the main one is this. */
export const officeOf = (main: string, more: Readonly<Record<string, string>> = {}): Buffer =>
  zipOf({
    '[Content_Types].xml': `<Types><Override PartName="/main.xml" ContentType="application/vnd.${main}"/></Types>`,
    'main.xml': '<x/>',
    ...more,
  });

export const docx = officeOf('openxmlformats-officedocument.wordprocessingml.document.main+xml');

/** A container of Microsoft's old formats with these streams. */
export const oleOf = (...names: readonly string[]): Buffer => {
  const sector = 512;
  const header = Buffer.alloc(sector);
  header.write('d0cf11e0a1b11ae1', 'hex');
  header.writeUInt16LE(9, 30);
  // The directory begins in sector 1, and the table of sectors is sector 0.
  header.writeUInt32LE(1, 48);
  header.fill(0xff, 76);
  header.writeUInt32LE(0, 76);
  const perSector = sector / 128;
  const all = ['Root Entry', ...names];
  const sectors = Math.ceil(all.length / perSector);
  const table = Buffer.alloc(sector, 0xff);
  for (let at = 1; at <= sectors; at += 1) table.writeUInt32LE(at === sectors ? 0xffff_fffe : at + 1, 4 * at);
  const directory = Buffer.alloc(sectors * sector);
  for (const [at, name] of all.entries()) {
    directory.write(name, at * 128, 'utf16le');
    directory.writeUInt16LE(2 * name.length + 2, at * 128 + 64);
  }
  return Buffer.concat([header, table, directory]);
};
