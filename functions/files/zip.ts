import { inflateRawSync } from 'node:zlib';

/** An archive, as the directory at its end describes it: the programs that open documents read that. */
export interface Archive {
  /** In lower case. */
  readonly names: readonly string[];
  /** The content of an entry; undefined if there is none, or if it is broken or large. */
  readonly read: (name: string) => string | undefined;
}

const endSignature = Buffer.from('PK\x05\x06', 'latin1');
const endLength = 22;

/** Bytes in which the end can begin: a comment of 64 KiB can follow. */
const endWithin = endLength + 0xffff;

/** No document has as many. Of an archive with more, nothing is read. */
const maxEntries = 5_000;

/** Bytes of an entry, inflated. Of what is read here, documents have some kilobytes. */
const maxEntryBytes = 128 * 1024;

const stored = 0;
const deflated = 8;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly size: number;
  readonly headerAt: number;
}

/** @throws {RangeError} if it is cut short */
const entriesOf = (directory: Buffer, count: number): Entry[] => {
  const entries: Entry[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const nameAt = at + 46;
    const nameEnd = nameAt + directory.readUInt16LE(at + 28);
    entries.push({
      name: directory.toString('latin1', nameAt, nameEnd).toLowerCase(),
      method: directory.readUInt16LE(at + 10),
      size: directory.readUInt32LE(at + 20),
      headerAt: directory.readUInt32LE(at + 42),
    });
    at = nameEnd + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
};

/** @throws if it is broken or large */
const contentOf = (zip: Buffer, { method, size, headerAt }: Entry): string | undefined => {
  const dataAt = headerAt + 30 + zip.readUInt16LE(headerAt + 26) + zip.readUInt16LE(headerAt + 28);
  const data = zip.subarray(dataAt, dataAt + size);
  if (method === stored && size <= maxEntryBytes) return data.toString('latin1');
  return method === deflated ? inflateRawSync(data, { maxOutputLength: maxEntryBytes }).toString('latin1') : undefined;
};

/**
 * Reads the directory of a ZIP: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, section 4.3.
 * @returns undefined if it is broken, or has anything behind its directory
 */
export const readZip = (zip: Buffer): Archive | undefined => {
  const tailAt = Math.max(0, zip.length - endWithin);
  const endAt = tailAt + zip.subarray(tailAt).lastIndexOf(endSignature);
  if (endAt < tailAt || endAt + endLength > zip.length) return undefined;
  const count = zip.readUInt16LE(endAt + 10);
  const size = zip.readUInt32LE(endAt + 12);
  const from = zip.readUInt32LE(endAt + 16);
  const hasAll = endAt + endLength + zip.readUInt16LE(endAt + 20) === zip.length && from + size === endAt;
  if (!hasAll) return undefined;
  if (count > maxEntries) return { names: [], read: () => undefined };
  try {
    const entries = entriesOf(zip.subarray(from, endAt), count);
    const read = (name: string) => {
      const entry = entries.find((each) => each.name === name);
      try {
        return entry && contentOf(zip, entry);
      } catch {
        return undefined;
      }
    };
    return { names: entries.map(({ name }) => name), read };
  } catch {
    return undefined;
  }
};
