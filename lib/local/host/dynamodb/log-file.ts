/** https://github.com/google/leveldb/blob/main/doc/log_format.md */
const [blockSize, headerSize] = [32_768, 7];

/** The types of a record that ends what was written at once: FULL and LAST. */
const isLast = (type: number | undefined) => type === 1 || type === 4;

/** Whether one of LevelDB's logs ends in the middle of what was written at once; LevelDB passes over that in silence. */
export const isTorn = (log: Buffer): boolean => {
  let whole = true;
  for (let at = 0; at < log.length; ) {
    const left = blockSize - (at % blockSize);
    if (left < headerSize) {
      at += left;
      continue;
    }
    if (at + headerSize > log.length) return true;
    const end = at + headerSize + log.readUInt16LE(at + 4);
    if (end > log.length) return true;
    whole = isLast(log[at + 6]);
    at = end;
  }
  return !whole;
};
