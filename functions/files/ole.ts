const signature = Buffer.from('d0cf11e0a1b11ae1', 'hex');

/** Entries of a directory that are read. A document has some tens. */
const maxEntries = 2_000;

const entryLength = 128;

/** Sectors from here on are marks, such as the end of a chain. */
const firstMark = 0xffff_fffa;

/**
 * The names of what a container of Microsoft's old formats holds, in lower case:
 * https://learn.microsoft.com/en-us/openspecs/windows_protocols/ms-cfb/53989ce4-7b05-4f8d-829b-d08d6148375b
 * @returns undefined if it is another format, or broken
 */
export const readOle = (file: Buffer): ReadonlySet<string> | undefined => {
  if (!file.subarray(0, signature.length).equals(signature)) return undefined;
  const names = new Set<string>();
  try {
    const sectorLength = file.readUInt16LE(30) === 12 ? 4_096 : 512;
    const sectorAt = (sector: number) => (sector + 1) * sectorLength;
    /** A table of the next sector of each, of which the header lists the first 109 sectors: all that 4.4 MB need. */
    const nextOf = (sector: number) => {
      const inTable = sectorLength / 4;
      const tableAt = sectorAt(file.readUInt32LE(76 + 4 * Math.floor(sector / inTable)));
      return file.readUInt32LE(tableAt + 4 * (sector % inTable));
    };
    const perSector = sectorLength / entryLength;
    let sector = file.readUInt32LE(48);
    for (let read = 0; sector < firstMark && read < maxEntries; read += perSector) {
      for (let entry = 0; entry < perSector; entry += 1) {
        const at = sectorAt(sector) + entry * entryLength;
        // With its end, in bytes.
        const length = Math.min(file.readUInt16LE(at + 64), 64);
        if (length > 2) names.add(file.toString('utf16le', at, at + length - 2).toLowerCase());
      }
      sector = nextOf(sector);
    }
    return names;
  } catch {
    return undefined;
  }
};
