// The contact requests that this page has loaded, and how it reads more of them.

import { nextPage, request } from './api.js';
import { countActive, listPath, nameCampaign, offerChoices, searchText } from './filters.js';
import { emailForPeople, unify } from './names.js';
import { announce, announceBusy, endProblem, endWaiting, render } from './page.js';
import { say } from './texts.js';

export const pageSize = 200;

/** Those of the list that are loaded, by id, newest first. */
let contacts = new Map();
/** The searched text of each. */
const texts = new WeakMap();
/** Ends when the filters that the API knows change. Its `older` is the reading of older ones that is under way. */
let reading = new AbortController();
/** The path of the list's first page, and of the page that comes next, unless all is loaded. */
let firstPath;
let olderPath;
/** The place of the newest one that this page had listed before it read that first page. */
let knownBefore = '';
/** Ends when the names of campaigns are read, or cannot be read: then ids stay. */
let campaignsRead;
/** Whether someone has stopped the search or the download. */
let isStopped = false;
/** Whether a download wants the whole list. */
let isDownloading = false;

export const loadedOne = (id) => contacts.get(id);

export const loadedOnes = () => [...contacts.values()];

export const isLoaded = (id) => contacts.has(id);

/** Whether the list goes on behind what is loaded. */
export const hasOlder = () => olderPath !== undefined;

export const isReading = () => reading.older !== undefined && wantsAll();

export const isForDownload = () => isDownloading;

export const isPaused = () => isStopped;

export const listedAtOf = ({ releasedAt, createdAt }) => releasedAt ?? createdAt;

/** A text without case and accents: `lodz` finds Łódź, and the other way round. */
const fold = (text) => unify(text).replaceAll(/[\u0300-\u036f]/g, '');

/** The words to search for. */
export const searchedWords = () => fold(searchText()).split(/\s+/);

/** A visitor may quote the reference of a confirmation: the first eight characters of the id. */
export const hasWords = ({ id, text }, words) =>
  words.every((word) => text.includes(word) || (word.length >= 8 && id.startsWith(word)));

/** Whether the search finds one of those loaded. */
export const isFound = (contact, words) => hasWords({ id: contact.id, text: texts.get(contact) }, words);

/** Whether to read on until the end: what someone searches can be anywhere in the list. */
const wantsAll = () => !isStopped && (isDownloading || countActive() > 0);

const textsOf = ({
  id,
  createdAt,
  releasedAt,
  answeredAt,
  answeredBy,
  spamReason,
  extra = {},
  files = [],
  ...fields
}) => [...Object.values(fields), ...Object.values(extra), files.map(({ name }) => name)].flat();

/** What the search looks into. Germans write ü as ue, too: `mueller` finds Müller. */
export function searchedText(contact) {
  const text = [...textsOf(contact), emailForPeople(contact)].join(' ');
  const inGerman = text.replaceAll(/[äöü]/gi, '$&e');
  return fold(inGerman === text ? text : `${text} ${inGerman}`);
}

/** What staff change of a contact request. What visitors filled in stays as it is. */
const stateNames = ['spamReason', 'releasedAt', 'answeredAt', 'answeredBy'];

export const stateOf = (contact) => Object.fromEntries(stateNames.map((name) => [name, contact[name]]));

/** Adds a contact request to those loaded, or what staff have changed of it. @returns whether it is new to the list */
function add(contact) {
  const known = contacts.get(contact.id);
  if (known) {
    const place = listedAtOf(known);
    Object.assign(known, stateOf(contact));
    return listedAtOf(known) !== place;
  }
  contacts.set(contact.id, contact);
  texts.set(contact, searchedText(contact));
  return true;
}

/** By id, when this page last changed one. What an earlier reading says of it is old. */
const changes = new Map();

/** @param time - as of `performance.now()`, or Infinity while the change is under way */
export const noteChange = (id, time) => changes.set(id, time);

/** Ends when what this page has changed is sent: a list that begins then has it in its new place. */
let changesSent;

export function waitForChanges(sent) {
  changesSent = sent;
}

const isOld = (id, begun) => changes.get(id) > begun;

export function takeOut(id) {
  contacts.delete(id);
}

/** Reads a page. @returns its contact requests, and the path of the next one */
export async function readPage(path, signal) {
  const response = await request(path, { signal });
  const page = await response.json();
  await campaignsRead;
  signal.throwIfAborted();
  return { page: page.map(nameCampaign), next: nextPage(response, path) };
}

/** Reads a page into the list. @returns the page, the path of the next one, and the ids that were new */
async function readIntoList(path) {
  const { signal } = reading;
  await changesSent;
  signal.throwIfAborted();
  const begun = performance.now();
  const { page, next } = await readPage(path, signal);
  const arrived = page.filter((contact) => !isOld(contact.id, begun) && add(contact));
  contacts = new Map(
    [...contacts].sort(([, a], [, b]) => (listedAtOf(a) < listedAtOf(b)) - (listedAtOf(a) > listedAtOf(b))),
  );
  return { page, next, arrived: arrived.map(({ id }) => id) };
}

/** By id, the files of those read alone, which say whether they were scanned, too. */
const filesRead = new Map();

export const filesOf = ({ id, files = [] }) => filesRead.get(id) ?? files;

/** Reads one contact request, even if another person has changed it meanwhile. @throws with the status 404 if it is gone */
export async function readOne(id) {
  await changesSent;
  const begun = performance.now();
  const response = await request(`/api/v1/contact/${id}`);
  await campaignsRead;
  const read = nameCampaign(await response.json());
  const contact = contacts.get(id) ?? read;
  if (read.files) filesRead.set(id, read.files);
  if (!isOld(id, begun)) Object.assign(contact, stateOf(read));
  const sunset = response.headers.get('Sunset');
  if (sunset) contact.keptUntil = new Date(sunset).toISOString();
  return contact;
}

/** Reads the first page anew, and takes out what has left it: what others have deleted, or put elsewhere. */
async function readFirst() {
  const begun = performance.now();
  const known = loadedOnes();
  const { page, next, arrived } = await readIntoList(firstPath);
  const ids = new Set(page.map(({ id }) => id));
  const last = next ? page.at(-1) && listedAtOf(page.at(-1)) : '';
  const hasLeft = (contact) => listedAtOf(contact) > last && !ids.has(contact.id) && !isOld(contact.id, begun);
  for (const contact of known) if (hasLeft(contact)) contacts.delete(contact.id);
  return arrived;
}

/** Reads older ones: a page, or all that someone searches or downloads. What is under way goes on. */
export function readOlder() {
  const current = reading;
  const readOn = async () => {
    if (!olderPath) return;
    do {
      olderPath = (await readIntoList(olderPath)).next;
      endProblem();
      endWaiting();
    } while (olderPath && wantsAll());
  };
  current.older ??= readOn().finally(() => {
    current.older = undefined;
    offerChoices(loadedOnes());
    render();
  });
  render();
  return current.older;
}

/** Reads the whole list, unless someone stops it. @returns whether it is loaded */
export async function readAll() {
  isStopped = false;
  isDownloading = true;
  try {
    await readOlder();
  } finally {
    isDownloading = false;
    render();
  }
  return !olderPath;
}

export function resumeReading() {
  isStopped = false;
}

export function stopReading() {
  isStopped = true;
  render();
}

/** The place of the newest one that this page has ever listed: a filter can find only old ones, or none. */
function newestPlace() {
  const [newest] = contacts.values();
  return newest && listedAtOf(newest) > knownBefore ? listedAtOf(newest) : knownBefore;
}

/**
 * Reads what came since the newest one by the clock of the API. A minute of overlap misses nothing.
 * @param isHidden - whether one of these ids is none to tell about
 * @param isForChanges - whether to read what others have changed, too
 */
export async function readNewer(isHidden, isForChanges) {
  const newest = newestPlace();
  if (contacts.size === 0 && (olderPath || !newest)) {
    olderPath ??= firstPath;
    return readOlder();
  }
  const since = new Date(Date.parse(newest) - 60_000).toISOString();
  const arrivedOnes = isForChanges ? await readFirst() : [];
  for (let path = listPath({ order: 'asc', since, limit: pageSize }); path; ) {
    const { next, arrived } = await readIntoList(path);
    path = next;
    arrivedOnes.push(...arrived);
    endProblem();
  }
  endWaiting();
  offerChoices(loadedOnes());
  const count = arrivedOnes.filter((id) => !isHidden(id)).length;
  if (count > 0) announce(say('arrived', { count }));
}

/** Begins the list anew. @returns whether the API has to read another one */
export function beginList() {
  reading.abort();
  reading = new AbortController();
  knownBefore = newestPlace();
  contacts.clear();
  isStopped = false;
  firstPath = listPath({ limit: pageSize });
  olderPath = firstPath;
  announceBusy(say('loading'));
}

/** Whether the filters that the API knows have changed since the list began. */
export const isOutdated = () => listPath({ limit: pageSize }) !== firstPath;

/** Waits with names of campaigns until they are read. */
export function waitForCampaigns(read) {
  campaignsRead = read;
}
