// The spam that the chart counts beside the list: what the filters show of it. Only what counting and searching need is kept.

import { attempt } from './api.js';
import { fold, isLoaded, isPaused, pageSize, readPage, searchedText } from './contacts.js';
import { isDeleted } from './deletions.js';
import { listPath, searchText } from './filters.js';
import { render } from './page.js';
import { dayOf } from './periods.js';

/** What the chart reads by itself, of spam as of the list: 10,000. */
export const maxPages = 50;

/** By id: when each came, on which day, and the text that the search looks into. */
let ones = new Map();
/** The filters of the API through which these came. */
let filters;
/** The path of the next page, unless all is read. */
let olderPath;
let pages = 0;
/** Ends when these filters change. Its `running` is the reading that is under way. */
let reading = new AbortController();
/** Those that the search finds, and what it searches for. */
let found;
let foundText;

const isCurrent = () => filters === listPath();

export const isReadingSpam = () => reading.running !== undefined;

/** Whether there is spam of these filters that is not counted. */
export const hasOlderSpam = () => isCurrent() && olderPath !== undefined;

/** The first query parameter tells this reading from that of a list of spam. */
const pathSince = (since, options) => listPath({ spam: true, limit: pageSize, ...(since && { since }), ...options });

async function readInto(path, signal) {
  const { page, next } = await readPage(path, signal);
  for (const contact of page) {
    const { id, createdAt } = contact;
    ones.set(id, { createdAt, day: dayOf(new Date(createdAt)), text: searchedText(contact) });
  }
  found = undefined;
  return next;
}

async function readNewer(since, signal) {
  const newest = [...ones.values()].reduce((last, { createdAt }) => (createdAt > last ? createdAt : last), '');
  // As in the list, a minute of overlap misses nothing.
  const start = newest ? new Date(Date.parse(newest) - 60_000).toISOString() : since;
  for (let path = pathSince(start, { order: 'asc' }); path; ) path = await readInto(path, signal);
}

async function readOlder(signal) {
  while (olderPath && pages < maxPages && !isPaused()) {
    olderPath = await readInto(olderPath, signal);
    pages += 1;
    render();
  }
}

/** Reads the spam since a time, or what is new of it. Other filters begin anew. */
export function readSpam(since) {
  const isNew = !isCurrent();
  if (isNew) {
    reading.abort();
    reading = new AbortController();
    ones = new Map();
    found = undefined;
    pages = 0;
    filters = listPath();
    olderPath = pathSince(since);
  }
  const current = reading;
  const read = async () => {
    if (pages > 0) await readNewer(since, current.signal);
    await readOlder(current.signal);
  };
  current.running ??= attempt(read).finally(() => {
    current.running = undefined;
    render();
  });
}

/** The days on which the spam came that the filters show. What somebody released meanwhile is in the list. */
export function daysOfSpam() {
  if (!isCurrent()) return [];
  if (!found || foundText !== searchText()) {
    foundText = searchText();
    const words = fold(foundText).split(/\s+/);
    found = [...ones].filter(([, { text }]) => words.every((word) => text.includes(word)));
  }
  return found.filter(([id]) => !isDeleted(id) && !isLoaded(id)).map(([, { day }]) => day);
}

/** The day of the oldest spam that was read. */
export const oldestDayOfSpam = () => [...ones.values()].reduce((oldest, { day }) => Math.min(oldest, day), Infinity);
