// Nightly sync: saves every contact request once, in an SQLite database and a CSV file.
//
//     BASE_URL=https://… STAFF_TOKEN=crcs_… node sync.mjs [--delete]
//
// Run it as often as you like: it continues where it ended. With --delete it then deletes from the service what is saved in
// both files. Add your own work where main() says so. The copies are yours to keep safe, and to erase when a person asks.
//
// Needs Node 24.15 or later, nothing else. Smallest token: contacts:read; for --delete contacts:read,contacts:delete
import { closeSync, openSync, renameSync, writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const { BASE_URL = '', STAFF_TOKEN = '' } = process.env;
const base = BASE_URL.replace(/\/+$/, '');
// Each service has its own files.
const file = `contacts.${base.replace(/^https?:\/\//, '').replaceAll(/[^\w.-]/g, '_')}`;
const columns = 'id createdAt email phone company message firstName lastName site form releasedAt extra'.split(' ');

/** Sends a request. If the service is busy, retries five times, after the wait that it asks for (a minute at most). */
const call = async (method, path) => {
  for (let triesLeft = 5; ; triesLeft -= 1) {
    const headers = { Authentication: STAFF_TOKEN };
    // A redirect would send the token elsewhere.
    const options = { method, headers, redirect: 'error', signal: AbortSignal.timeout(30_000) };
    const answer = await fetch(base + path, options);
    const text = await answer.text();
    if (answer.ok || (method === 'DELETE' && answer.status === 404)) return { link: answer.headers.get('Link'), text };
    const wait = Number(answer.headers.get('Retry-After') ?? 'none');
    if (![429, 503].includes(answer.status) || triesLeft === 0 || !(wait <= 60))
      throw new Error(`${answer.status} ${text}`);
    await setTimeout(wait * 1000);
  }
};

/** A page of contact requests, and the query of the next page. */
const page = async (query) => {
  const { link, text } = await call('GET', `/api/v1/contact${query}`);
  const contacts = JSON.parse(text);
  if (!Array.isArray(contacts) || !contacts.every((contact) => contact?.id && contact.createdAt))
    throw new Error('the answer is not a list of contact requests');
  // Only the query of the link, so that the token goes nowhere but to BASE_URL.
  const [, next] = /<[^>?]*([^>]+)>; rel="next"/.exec(link) ?? [];
  return { contacts, next };
};

/** A CSV cell, with an apostrophe before text that a spreadsheet would take for a formula. Programs should read the database. */
const cell = (value = '') => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const harmless = text.replaceAll(/(^|[,;\t\r\n])(["'\p{Zs}]*)([=+\-@＝＋－＠])/gu, "$1$2'$3");
  return `"${harmless.replaceAll('"', '""')}"`;
};

/** What to check, until the service has answered once. */
let hint = '';

const main = async ([option, ...more]) => {
  if (
    ![undefined, '--delete'].includes(option) ||
    more.length > 0 ||
    !/^https?:/.test(base) ||
    !/^[!-~]+$/.test(STAFF_TOKEN)
  )
    throw new Error('usage: BASE_URL=https://… STAFF_TOKEN=crcs_… node sync.mjs [--delete]');
  const { DatabaseSync } = await import('node:sqlite').catch(() => {
    throw new Error(`it needs Node 24.15 or later, and this is ${process.version}`);
  });
  hint = 'check BASE_URL and STAFF_TOKEN: ';
  await page('?limit=1'); // Before there are files: a wrong BASE_URL leaves none.
  hint = '';
  process.umask(0o077); // Only the owner can read the files.
  const db = new DatabaseSync(`${file}.db`);
  db.exec(`PRAGMA locking_mode = EXCLUSIVE; -- one run at a time
    BEGIN EXCLUSIVE;
    CREATE TABLE IF NOT EXISTS contacts (id TEXT PRIMARY KEY, place TEXT, contact TEXT, deleted INTEGER);
    COMMIT`);

  // `place` is when it was created or released from spam. Begin a minute before the last one: a list can lag a little.
  const { before, since } = db
    .prepare(
      `SELECT count(*) AS before, strftime('%Y-%m-%dT%H:%M:%fZ', max(place), '-1 minute') AS since FROM contacts`,
    )
    .get();
  const store =
    db.prepare(`INSERT INTO contacts VALUES (?, ?, ?, 0) ON CONFLICT (id) DO UPDATE SET place = excluded.place,
    contact = excluded.contact, deleted = 0 WHERE contact <> excluded.contact`);
  for (let query = `?order=asc&limit=200${since ? `&since=${since}` : ''}`; query; ) {
    const { contacts, next } = await page(query);
    db.exec('BEGIN');
    for (const contact of contacts)
      store.run(contact.id, contact.releasedAt ?? contact.createdAt, JSON.stringify(contact));
    db.exec('COMMIT');
    query = next;
  }

  const csv = openSync(`${file}.csv.new`, 'w');
  writeSync(csv, `${columns.join()}\r\n`);
  for (const { contact } of db.prepare('SELECT contact FROM contacts ORDER BY place, id').iterate()) {
    const fields = JSON.parse(contact);
    writeSync(csv, `${columns.map((column) => cell(fields[column])).join()}\r\n`);
  }
  closeSync(csv);
  renameSync(`${file}.csv.new`, `${file}.csv`); // The file appears only when it is complete.

  // Add your own work here. With --delete, take the rows WHERE NOT deleted: each comes once, or again if a run was killed.
  // If your work fails, throw: then nothing is deleted.

  const { after } = db.prepare('SELECT count(*) AS after FROM contacts').get();
  console.log(`${file}.db has ${after} contact requests, ${after - before} of them new.`);
  if (option === '--delete') {
    const processed = db.prepare('SELECT id FROM contacts WHERE NOT deleted').all();
    for (const { id } of processed) {
      await call('DELETE', `/api/v1/contact/${id}`);
      db.prepare('UPDATE contacts SET deleted = 1 WHERE id = ?').run(id);
    }
    console.log(`${processed.length} deleted from the service.`);
  }
};

// Any failure is one line. The next run continues.
await main(process.argv.slice(2)).catch(({ message, cause }) => {
  const why = [message, cause?.message || cause?.code].filter(Boolean).join(': ');
  console.error(`sync.mjs failed: ${hint}${why}`.replaceAll(/\s+/g, ' ').slice(0, 300));
  process.exitCode = 1;
});
