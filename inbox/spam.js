// The spam that the chart counts beside the list: what the filters show of it. Only what counting and searching need is kept.

import {
  hasWords,
  isFound,
  isLoaded,
  isPaused,
  listedAtOf,
  loadedOnes,
  pageSize,
  readPage,
  searchedText,
  searchedWords,
} from './contacts.js';
import { isDeleted } from './deletions.js';
import { listPath, searchText } from './filters.js';
import { render, ui } from './page.js';
import { dayOf, inputOfDay, usualDays } from './periods.js';

/** What the chart reads by itself, of spam as of the list: 10,000. */
export const maxPages = 50;

/** By id: the place of each and its day, and the text that the search looks into. */
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

/** Without dates, the chart has the usual days. */
function firstTime() {
  if (ui.from.value || ui.to.value) return;
  return new Date(`${inputOfDay(dayOf(new Date()) - usualDays + 1)}T00:00`).toISOString();
}

/** The first query parameter tells this reading from that of a list of spam. */
const pathSince = (since, options) => listPath({ spam: true, limit: pageSize, ...(since && { since }), ...options });

const dayIn = (contact) => dayOf(new Date(listedAtOf(contact)));

async function readInto(path, signal) {
  const { page, next } = await readPage(path, signal);
  for (const contact of page) {
    ones.set(contact.id, { place: listedAtOf(contact), day: dayIn(contact), text: searchedText(contact) });
  }
  found = undefined;
  return next;
}

async function readNewer(signal) {
  const newest = [...ones.values()].reduce((last, { place }) => (place > last ? place : last), '');
  // As in the list, a minute of overlap misses nothing.
  const start = newest ? new Date(Date.parse(newest) - 60_000).toISOString() : firstTime();
  for (let path = pathSince(start, { order: 'asc' }); path; ) path = await readInto(path, signal);
}

async function readOlder(signal) {
  while (olderPath && pages < maxPages && !isPaused()) {
    olderPath = await readInto(olderPath, signal);
    pages += 1;
    render();
  }
}

/** Reads the spam, or what is new of it. Other filters begin anew. */
export function readSpam() {
  const isNew = !isCurrent();
  if (isNew) {
    reading.abort();
    reading = new AbortController();
    ones = new Map();
    found = undefined;
    pages = 0;
    filters = listPath();
    olderPath = pathSince(firstTime());
  }
  const current = reading;
  const read = async () => {
    if (pages > 0) await readNewer(current.signal);
    await readOlder(current.signal);
  };
  // What failed is read with the next refresh, and the list says what is wrong.
  const ignore = () => {};
  current.running ??= read()
    .catch(ignore)
    .finally(() => {
      current.running = undefined;
      render();
    });
}

/** The days of the spam that the filters show. What is loaded counts as it is now: staff release spam, and mark some. */
export function daysOfSpam() {
  if (!isCurrent()) return [];
  const words = searchedWords();
  if (!found || foundText !== searchText()) {
    foundText = searchText();
    found = [...ones].filter(([id, { text }]) => hasWords({ id, text }, words));
  }
  const isMarked = (contact) => contact.spamReason && !isDeleted(contact.id) && isFound(contact, words);
  return [
    ...found.filter(([id]) => !isDeleted(id) && !isLoaded(id)).map(([, { day }]) => day),
    ...loadedOnes().filter(isMarked).map(dayIn),
  ];
}

/** The day of the oldest spam that was read. */
export const oldestDayOfSpam = () => [...ones.values()].reduce((oldest, { day }) => Math.min(oldest, day), Infinity);
