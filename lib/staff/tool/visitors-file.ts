import { mkdir, open, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { failOn, isSystemError } from './files.ts';

/** Creates a folder that only its owner can read, unless it exists. @throws {StaffError} if it cannot be created */
export const makeFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch(failOn(path));
};

/** What some system does not allow in a name, or a shell or a person could read as something else. */
const unsafe = /[\\/<>:"|?*\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]|^[.~ -]|[. ]$/gu;

/** Windows takes these for devices, with any ending: https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const device = /^(con|prn|aux|nul|(com|lpt)[0-9\u00b9\u00b2\u00b3])(?=[. ]|$)/i;

/** Most systems allow 255 bytes, of which a number and a copy's ending need some. */
const maxNameBytes = 200;

/** Makes a name that a visitor chose safe on every system: it stays in its folder, and is neither hidden nor an option. */
export const safeFileName = (given: string): string => {
  const name = given.trim().replaceAll(unsafe, '_').replace(device, '$1_') || '_';
  const ending = extname(name).length <= 20 ? extname(name) : '';
  const characters = [...name.slice(0, name.length - ending.length)];
  while (Buffer.byteLength(characters.join('') + ending) > maxNameBytes) characters.pop();
  return characters.join('') + ending;
};

/**
 * Writes a file that only its owner can read. It overwrites nothing: if the name is taken, the file gets a number.
 * @param name one that a visitor chose
 * @returns its path
 * @throws {StaffError} if it cannot be written
 */
export const writeVisitorsFile = async (folder: string, name: string, bytes: Uint8Array): Promise<string> => {
  const safe = safeFileName(name);
  const ending = extname(safe);
  const stem = safe.slice(0, safe.length - ending.length);
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? safe : `${stem} (${number})${ending}`);
    const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
      if (isSystemError(error) && 'code' in error && error.code === 'EEXIST') return undefined;
      return failOn(path)(error);
    });
    if (!file) continue;
    try {
      await file.writeFile(bytes);
      await file.sync();
      return path;
    } catch (error) {
      await rm(path, { force: true });
      return failOn(path)(error);
    } finally {
      await file.close();
    }
  }
};
