import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** The tables of the store. With AUTOINCREMENT, SQLite never uses a number again. */
const schema = `
  CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

  CREATE TABLE IF NOT EXISTS records (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS records_by_source ON records (source, number);

  CREATE TABLE IF NOT EXISTS messages (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    sent_at INTEGER NOT NULL,
    receives INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS messages_by_due ON messages (queue, due_at);
  CREATE INDEX IF NOT EXISTS messages_by_receives ON messages (queue, receives);
  CREATE INDEX IF NOT EXISTS messages_by_id ON messages (id);
`;

/** The primary result code of SQLite's error: https://www.sqlite.org/rescode.html */
const codeOf = (error: unknown) =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;

const locked = 5;

/** The store's one connection to its file. */
export interface Database {
  readonly sql: DatabaseSync;
  /**
   * Acts in a transaction, and resolves when that is on the disk. All writes in one turn of the event loop share a
   * transaction, so that concurrent requests wait for the disk together.
   */
  write<Result>(act: () => Result): Promise<Result>;
  /** Closes after the writes under way. */
  close(): Promise<void>;
}

interface Waiting {
  /** @returns a function that resolves the caller's promise, to call after the commit */
  run(): () => void;
  fail(error: unknown): void;
}

const connect = (file: string): DatabaseSync | undefined => {
  const sql = new DatabaseSync(file);
  try {
    sql.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // The locking mode takes effect with the first transaction.
    sql.exec('BEGIN EXCLUSIVE; COMMIT');
    sql.exec(schema);
    return sql;
  } catch (error) {
    sql.close();
    if (codeOf(error) === locked) return undefined;
    throw error;
  }
};

/** Milliseconds between two looks at the file. */
const lookInterval = 500;

/**
 * Opens a database, and locks it until it is closed or the process ends. If the file is deleted or moved, the thread ends:
 * at the next write, or half a second later, because the functions lie in the same folder.
 * @param report called with a line when writes begin to fail, as on a full disk, and when they work again
 * @returns nothing if another process has locked it
 * @throws {Error} if SQLite cannot open it
 */
export const openDatabase = (file: string, report: (line: string) => void): Database | undefined => {
  const sql = connect(file);
  if (!sql) return undefined;
  const changes = sql.prepare('SELECT total_changes() AS count');
  const countChanges = () => Number(changes.get()?.['count']);
  const inodeOf = () => statSync(file, { throwIfNoEntry: false })?.ino;
  const inode = inodeOf();
  // SQLite goes on writing to a deleted file, which nobody can open any more.
  const isGone = () => inodeOf() !== inode;
  const gone = () => new Error(`${file} was deleted or moved`);
  // Nobody catches it: the thread ends.
  const look = setInterval(() => {
    if (isGone()) throw gone();
  }, lookInterval);
  let waiting: Waiting[] = [];
  let failing = false;

  const commit = () => {
    const all = waiting;
    waiting = [];
    const before = countChanges();
    try {
      sql.exec('BEGIN IMMEDIATE');
      const resolvers = all.map(({ run }) => run());
      sql.exec('COMMIT');
      if (isGone()) throw gone();
      for (const resolve of resolvers) resolve();
      // A transaction without changes succeeds on a full disk too: it proves nothing.
      if (!failing || countChanges() === before) return;
      failing = false;
      report('writes work again');
    } catch (error) {
      if (sql.isTransaction) sql.exec('ROLLBACK');
      if (isGone()) throw error;
      if (!failing) report(`writes fail, reads go on: ${error instanceof Error ? error.message : error}`);
      failing = true;
      for (const { fail } of all) fail(error);
    }
  };

  const write = <Result>(act: () => Result): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(commit);
      waiting.push({
        run: () => {
          const result = act();
          return () => resolve(result);
        },
        fail: reject,
      });
    });

  return {
    sql,
    write,
    close: async () => {
      await write(() => {}).catch(() => {});
      clearInterval(look);
      sql.close();
    },
  };
};
