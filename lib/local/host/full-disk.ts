/** As Node, SQLite and esbuild say it; the last two have no code for it. */
const full = /ENOSPC|EDQUOT|no space left on device|disk quota exceeded|database or disk is full/i;

/** What to tell of an error that may come of a full disk, where nothing is wrong with what the folder holds. */
export const adviseRoom = (folder: string, error: unknown): unknown =>
  error instanceof Error && full.test(error.message)
    ? new Error(`The disk of ${folder} is full: make room on it, then try again`, { cause: error })
    : error;
