import { createHash } from 'node:crypto';

/** The nil UUID, which identifies nothing (RFC 9562, section 5.9). */
export const nilUuid = '00000000-0000-0000-0000-000000000000';

/** A UUID in lower case, as a regular expression. */
export const uuidPattern = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const wholeUuid = new RegExp(`^${uuidPattern}$`);

/** A UUID in lower case, as it is stored; undefined if the text is not a UUID (RFC 9562). */
export const parseUuid = (text: string): string | undefined => {
  const lower = text.toLowerCase();
  return wholeUuid.test(lower) ? lower : undefined;
};

/** The UUID at the end of a sort key. */
export const idInSortKey = (sortKey: string): string => sortKey.slice(-36);

/** A UUID derived from a text: version 8 (RFC 9562, section 5.8) of its SHA-256. */
export const uuidFromText = (text: string): string => {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
