// The inbox: a client of the API, like any staff script. index.html has the base URL of the API.

import { csvOf, separatorIn } from './csv.js';
import { displayNameOf, emailForPeople, excerptOf, extraForPeople, subjectIn, telTo, unify } from './names.js';

// A page around this one could make people click. In a meta element, `frame-ancestors` has no effect.
if (self !== top) {
  document.body.textContent = 'The inbox does not open inside another page.';
  throw new Error('The inbox does not run in a frame');
}

const ui = Object.fromEntries([...document.querySelectorAll('[id]')].map((element) => [element.id, element]));
const policy = document.querySelector('[http-equiv="Content-Security-Policy"]').content;
const baseUrl = /connect-src ([^\s;]+)/.exec(policy)[1];
const base = baseUrl.replace(/\/$/, '');

const pageSize = 200;
const refreshInterval = 45_000;
const spamInterval = 600_000;
const requestTime = 60_000;
const undoTime = 5_000;
const statusTime = 10_000;
const signInTime = 30 * 86_400_000;
/** To delete more than so many, or to mark them as read, needs a confirmation. */
const many = 20;
/** A filter offers so many values, the most frequent. With the 10,000 of a flood, the page would freeze. */
const maxChoices = 100;

let token;
/** What the token allows, once the API has said it. */
let may;
/** The contact requests of the list that are loaded, by id, newest first. */
let contacts = new Map();
/** Those among them that the filters show. */
let shown = [];
/** How many of these the page has rows for. With 10,000, it would be slow. */
let room = pageSize;
/** Ids. */
const selected = new Set();
/** By id: `waiting` for undo, `sending` or `done`. The list hides them all, even if a reading under way brings one back. */
const deletions = new Map();
/** How many of the last deletions failed. */
let failed = 0;
/** The contact request beside the list. */
let opened;
/** How many were marked as spam since someone looked at spam in this browser. */
let newSpam = '';
/** What the search looks into. */
const texts = new WeakMap();
/** Ends when the filters that the API knows change. Its `older` is the reading of older ones that is under way. */
let reading = new AbortController();
/** The path of the list's first page, and of the page that comes next, unless all is loaded. */
let firstPath;
let olderPath;
/** The place of the newest one that this page had listed before it read that first page. */
let knownBefore = '';
let isDownloading = false;
/** Whether someone has stopped the search or the download. */
let isStopped = false;
/** Whether the API has responded to this page. */
let hasAnswered = false;

// Parts of the page

/** Sets properties only, and adds strings as text: nothing that a visitor sent can become an element. */
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Screen readers read a text again whenever it is written. A button without text is hidden. */
function write(part, text) {
  if (part.textContent !== text) part.textContent = text;
}

let statusTimer;

/** Says something, which goes after a while, unless it stays until there is something else to say. */
function announce(text, stays = text.endsWith('…')) {
  clearTimeout(statusTimer);
  write(ui.status, text);
  if (!stays) statusTimer = setTimeout(announce, statusTime, '');
}

/** Takes away what was said to be under way. */
function endWaiting() {
  if (ui.status.textContent.endsWith('…')) announce('');
}

const number = new Intl.NumberFormat('en');

/** A number of contact requests, as far as they are loaded. */
const count = (quantity) => number.format(quantity) + (olderPath ? '+' : '');

// What this browser remembers, for each API: all pages of an origin share it

const keyOf = (name) => `${name} ${base}`;

const recall = (name) => JSON.parse(localStorage.getItem(keyOf(name)));

function remember(name, value) {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(value));
  } catch {} // It is full: what is new lasts as long as the page.
}

/** Moves the focus to a part, or to what stands in its place. The page then stays where it is. */
function focusOn(part) {
  const found = [part, ui.requests, ui.openedTitle].find((each) => each?.checkVisibility());
  found?.focus({ preventScroll: found !== part });
}

// Asking the API

/** Sends a request with the token, again later if the API is busy. @throws with the status, if there is a response */
async function request(path, options = {}, retries = 3) {
  const { method = 'GET', signal } = options;
  const response = await fetch(base + path, {
    method,
    headers: { Authentication: token, Accept: 'application/json' },
    signal: AbortSignal.any([AbortSignal.timeout(requestTime), ...(signal ? [signal] : [])]),
  });
  if (response.ok) {
    hasAnswered = true;
    return response;
  }
  if ([429, 503].includes(response.status) && retries > 0) {
    const seconds = Number(response.headers.get('Retry-After')) || 1;
    announce(`The API is busy. Trying again in ${seconds} s…`);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    announce('');
    return request(path, options, retries - 1);
  }
  if (response.status === 401 && token) leave('The token is unknown, expired or revoked. Ask for another one.');
  const details = (await response.json().catch(() => undefined))?.details;
  throw Object.assign(new Error(response.statusText), { status: response.status, details: [details ?? []].flat() });
}

/** The path of the next page. Only the query of the link counts: the token goes to the base URL alone. */
function nextPage(response, path) {
  const link = /<([^>]*)>; *rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  return link && path.replace(/\?.*|$/, new URL(link, base).search);
}

/** What went wrong, and what to do. */
async function reasonOf(error) {
  const { status, details, isReleased } = error;
  if (isReleased) return 'Somebody has released it from spam.';
  if (status === 403) return 'This token does not have the permission for this. Ask for one that has it.';
  if (status === 429) return 'The API is busy. Try again later.';
  if (status < 500) return [`The API refuses this (${status}).`, ...details.map(({ message }) => message)].join(' ');
  if (status >= 500) return `The API had an error (${status}). Try again later.`;
  if (error instanceof SyntaxError) return 'The response is not from the API, or incomplete. Try again.';
  if (!baseUrl.endsWith('/')) return 'In index.html, the base URL after connect-src needs a slash at its end.';
  // If CORS forbids the page to read a response, fetch fails as if there were none.
  const probe = () => fetch(`${base}/api/v1/contact`, { mode: 'no-cors', signal: AbortSignal.timeout(10_000) });
  if (!hasAnswered && (await probe().catch(() => undefined))) {
    return `${base} does not accept pages of ${origin}. Correct the base URL in index.html, or add this origin to inboxOrigins and deploy.`;
  }
  return `${base} does not respond. Check your connection.`;
}

/** Runs something that asks the API. If that fails, says why, and offers to try again. */
async function attempt(action) {
  try {
    await action();
  } catch (error) {
    if (error.name === 'AbortError' || error.status === 401) return;
    endWaiting();
    write(ui.reason, await reasonOf(error));
    ui.problem.hidden = false;
    ui.retry.onclick = () => {
      endProblem();
      attempt(action);
    };
  }
}

/** Shows what has arrived, instead of the problem. */
function endProblem() {
  ui.problem.hidden = true;
  write(ui.reason, '');
  render();
}

// Signing in and out

const isLocal = (hostname) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** On this machine, `npm start` prints a link with the token. Elsewhere a token in a link would leak. */
function takeLocalToken() {
  if (!location.hash.startsWith('#token=')) return;
  if (isLocal(location.hostname)) sessionStorage.setItem('token', location.hash.slice('#token='.length));
  history.replaceState(null, '', location.pathname);
}

/** The token of someone who stays signed in on this device. */
function keptToken() {
  const { token, until } = recall('signIn') ?? {};
  const left = until - Date.now();
  if (left > 0 && left <= signInTime) return token;
  localStorage.removeItem(keyOf('signIn'));
}

/** Forgets the token and all data: loading the page again leaves nothing in memory. The address can still name one to open. */
function leave(reason = '') {
  const lost = failed + deletionsThat('waiting', 'sending').length;
  token = null;
  sessionStorage.clear();
  localStorage.removeItem(keyOf('signIn'));
  sessionStorage.setItem('reason', lost > 0 ? `${reason} ${lost} not deleted.` : reason);
  location.reload();
}

/** Another window can have signed out, and the days of a sign-in end. @returns whether the page may go on */
function checkSignIn() {
  if (ui.app.hidden || [sessionStorage.getItem('token'), keptToken()].includes(token)) return !ui.app.hidden;
  leave('You are signed out. Sign in again.');
}

ui.signIn.addEventListener('submit', (event) => {
  event.preventDefault();
  const given = ui.token.value.trim();
  ui.token.value = '';
  if (ui.keep.checked) remember('signIn', { token: given, until: Date.now() + signInTime });
  else sessionStorage.setItem('token', given);
  start();
  focusOn(ui.requests);
});

ui.signOut.addEventListener('click', async () => {
  ui.app.hidden = true;
  ui.starting.hidden = false;
  ui.starting.textContent = 'Sending what you deleted. Keep this page open.';
  sessionStorage.clear();
  localStorage.removeItem(keyOf('signIn'));
  await commit();
  history.replaceState(null, '', location.pathname);
  leave();
});

/** Whether the API refuses something to this token. @throws if it does not say */
async function isAllowed(path, method) {
  try {
    await request(path, { method });
  } catch (error) {
    if (error.status === 403) return false;
    if (error.status !== 404) throw error;
  }
  return true;
}

/** Asks once for each token, since each refusal counts for an alarm. Its hash tells nobody the token. */
async function readPermissions() {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  const name = `may ${new Uint8Array(hash)}`;
  const known = recall(name);
  if (known) return known;
  // Nothing has the id `-`.
  const found = {
    delete: await isAllowed('/api/v1/contact/-', 'DELETE'),
    campaigns: await isAllowed('/v1/campaigns/-', 'GET'),
  };
  remember(name, found);
  return found;
}

// The list

const shortTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const longTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

const timeOf = (value, format) =>
  element('time', { dateTime: value, lang: format.resolvedOptions().locale }, format.format(new Date(value)));

const placeOf = ({ releasedAt, createdAt }) => releasedAt ?? createdAt;

const visitorIn = (contact) => displayNameOf(contact) ?? 'A visitor';

/** A text without case and accents: `lodz` finds Łódź, and the other way round. */
const fold = (text) => unify(text).replaceAll(/[\u0300-\u036f]/g, '');

const textsOf = ({ id, createdAt, releasedAt, spamReason, extra = {}, ...fields }) =>
  [...Object.values(fields), ...Object.values(extra)].flat();

// Filters

const choices = [ui.site, ui.form, ui.campaign];
const filters = [ui.text, ui.from, ui.to, ...choices];

const isSpam = () => ui.spam.value === 'true';

const activeFilters = () => filters.filter(({ value }) => value.trim() !== '').length;

/** Whether to read on until the end: what someone searches can be anywhere in the list. */
const wantsAll = () => !isStopped && (isDownloading || activeFilters() > 0);

/** Shows everything as it is now: the rows, what counts them, and what acts on them. */
function render() {
  const { activeElement } = document;
  const words = fold(ui.text.value.trim()).split(/\s+/);
  const loaded = [...contacts.values()].filter(({ id }) => !deletions.has(id));
  // A visitor may quote the reference of a confirmation: the first eight characters of the id.
  const isIn = (contact) => (word) =>
    texts.get(contact).includes(word) || (word.length >= 8 && contact.id.startsWith(word));
  shown = loaded.filter((contact) => words.every(isIn(contact)));
  renderRows(shown.slice(0, room));

  const unread = loaded.filter((contact) => !isRead(contact)).length;
  const sending = deletionsThat('sending').length;
  const summary = isSpam() ? `${count(loaded.length)} marked` : `${count(unread)} unread of ${count(loaded.length)}`;
  const isUnknown = loaded.length === 0 && olderPath;
  write(ui.summary, sending > 0 ? `Deleting ${sending}…` : isUnknown ? '' : summary);
  const title = isSpam() ? 'Spam' : 'Inbox';
  document.title = unread > 0 ? `(${count(unread)}) ${title}` : title;
  write(ui.title, title);
  write(ui.newSpam, isSpam() ? 'Back to the inbox' : newSpam);

  const active = activeFilters();
  const isUnderWay = reading.older !== undefined && wantsAll();
  const action = isDownloading ? 'Downloading' : 'Searching';
  write(ui.menu, active > 0 ? `Menu, ${active} ${active > 1 ? 'filters' : 'filter'}` : 'Search, menu');
  write(ui.progress, isUnderWay ? `${action}… ${number.format(loaded.length)}` : '');
  write(ui.stop, isUnderWay ? 'Stop' : '');
  write(ui.found, active > 0 && !isUnderWay && !isUnknown ? `${count(shown.length)} found` : '');
  write(ui.clear, active > 0 ? 'Clear filters' : '');

  const isEmpty = loaded.length === 0 && !olderPath && active === 0;
  const none = isSpam() ? 'No spam.' : 'No contact requests.';
  write(ui.none, isEmpty ? none : '');
  ui.begin.hidden = !isEmpty || isSpam();
  const hasMore = (olderPath && (contacts.size > 0 || isStopped)) || shown.length > room;
  write(ui.older, hasMore && !isUnderWay ? 'Load older ones' : '');

  const marked = selectedIds().length;
  const selectAll = marked < shown.length ? 'Select all shown' : 'Select none';
  write(ui.selectAll, may?.delete && shown.length > 0 ? selectAll : '');
  write(ui.deleteSelected, may?.delete && marked > 0 ? `Delete ${marked} selected` : '');
  write(ui.markAllRead, marked > 0 || shown.every(isRead) ? '' : 'Mark all shown as read');
  write(ui.delete, may?.delete ? 'Delete' : '');
  write(ui.markUnread, isSpam() ? '' : 'Mark as unread');
  ui.opened.hidden = !opened;

  const waiting = deletionsThat('waiting').length;
  const deleted = waiting > 1 ? `Deleted ${waiting}.` : 'Deleted.';
  write(ui.undoText, waiting > 0 ? deleted : '');
  write(ui.undo, waiting > 0 ? 'Undo' : '');
  if (!activeElement.checkVisibility()) focusOn();
}

/** Adds and removes rows, and leaves the others where they are: one of them can have the focus. */
function renderRows(wanted) {
  const isWanted = new Set(wanted);
  for (const item of [...ui.list.children]) if (!isWanted.has(item.contact)) item.remove();
  let next = ui.list.firstElementChild;
  for (const contact of wanted) {
    const { id } = contact;
    const item = next?.contact === contact ? next : rowFor(contact);
    if (item === next) next = next.nextElementSibling;
    else ui.list.insertBefore(item, next);
    const [box, link] = item.children;
    box.checked = selected.has(id);
    box.hidden = !may?.delete;
    link.ariaCurrent = id === opened?.id ? 'true' : null;
    link.classList.toggle('unread', !isRead(contact));
    link.firstElementChild.hidden = isRead(contact) && !contact.spamReason;
  }
}

function rowFor(contact) {
  const visitor = visitorIn(contact);
  const excerpt = (excerptOf(contact) ?? '').slice(0, 200).toWellFormed();
  const time = timeOf(placeOf(contact), shortTime);
  const origin = [contact.form, contact.campaign, contact.site?.replace('https://', '')].filter(Boolean);
  return element(
    'li',
    { contact },
    element('input', { type: 'checkbox', ariaLabel: `Select ${visitor}, ${time.textContent}` }),
    element(
      'a',
      { href: `#${contact.id}` },
      element('b', {}, contact.spamReason ?? 'Unread'),
      element('strong', { dir: 'auto' }, visitor),
      element('span', { dir: 'auto' }, excerpt),
      element('small', {}, time, ...origin.flatMap((each) => [' · ', element('bdi', {}, each)])),
    ),
  );
}

/** The link of a row, which comes into the page if it is further down. */
function linkTo(id) {
  const index = shown.findIndex((contact) => contact.id === id);
  if (index >= room) {
    room = index + pageSize;
    render();
  }
  return ui.list.children[index]?.querySelector('a');
}

/** The path of a list with the filters that the API knows. Days are those of the reader's time zone. */
function listPath(parameters) {
  const query = new URLSearchParams(parameters);
  if (isSpam()) query.set('spam', 'true');
  if (ui.to.value) query.set('until', new Date(`${ui.to.value}T24:00`).toISOString());
  if (ui.from.value) {
    const start = new Date(`${ui.from.value}T00:00`).toISOString();
    const since = query.get('since') ?? '';
    query.set('since', since > start ? since : start);
  }
  if (ui.site.value) query.set('site', ui.site.value);
  if (ui.form.value) query.set('form', ui.form.value);
  for (const text of textsOfCampaign(ui.campaign.value)) query.append('campaign', text);
  return `/api/v1/contact?${query}`;
}

/** Names of campaigns, by what forms send: an id, or a name in any case. */
const campaignNames = new Map();
/** Ends when these are read, or cannot be read: then ids stay. */
let campaignsRead;

async function readCampaigns() {
  for (let path = may.campaigns && '/v1/campaigns'; path; ) {
    const response = await request(path);
    for (const { id, name } of await response.json()) campaignNames.set(id, name).set(name.toLowerCase(), name);
    path = nextPage(response, path);
  }
}

/** What forms send of a campaign: its id or its name, or a text that is neither. */
function textsOfCampaign(value) {
  const texts = [...campaignNames.keys()].filter((text) => campaignNames.get(text) === value);
  return texts.length > 0 ? texts : [value].filter(Boolean);
}

/** Puts the name of a campaign in place of its id. */
function nameCampaign(contact) {
  const name = campaignNames.get(contact.campaign?.toLowerCase());
  if (name) contact.campaign = name;
  return contact;
}

/** How many of those loaded have each value of a field. */
function countValues(name) {
  const counts = new Map();
  for (const contact of contacts.values()) {
    const value = contact[name];
    if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

/** The values that each filter offered last, with the number of contact requests that had them. Spam has others. */
const frequent = new Map();

/** Offers the most frequent sites, forms and campaigns of those loaded and of earlier readings, and each campaign of the API. */
function offerChoices() {
  for (const choice of choices) {
    const counts = countValues(choice.id);
    const list = `${choice.id} ${ui.spam.value}`;
    for (const [value, earlier] of frequent.get(list) ?? []) {
      counts.set(value, Math.max(earlier, counts.get(value) ?? 0));
    }
    const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, maxChoices);
    frequent.set(list, most);
    const others = choice === ui.campaign ? campaignNames.values() : [];
    const values = [...new Set([choice.value, ...most.map(([value]) => value), ...others])].filter(Boolean).sort();
    const optionFor = (value) => element('option', { value, selected: value === choice.value, dir: 'auto' }, value);
    choice.replaceChildren(choice.options[0], ...values.map(optionFor));
    choice.parentElement.hidden = values.length === 0;
  }
}

/** Adds a contact request to those loaded. @returns whether it is new to the list */
function add(contact) {
  const { id } = contact;
  const known = contacts.get(id);
  if (known && placeOf(known) === placeOf(contact)) return false;
  contacts.set(id, contact);
  texts.set(contact, fold([...textsOf(contact), emailForPeople(contact)].join(' ')));
  return !deletions.has(id);
}

/** Reads a page into the list. @returns the path of the next one, and how many were new */
async function readPage(path) {
  const { signal } = reading;
  const response = await request(path, { signal });
  const page = await response.json();
  await campaignsRead;
  signal.throwIfAborted();
  const arrived = page.map(nameCampaign).filter(add).length;
  contacts = new Map([...contacts].sort(([, a], [, b]) => (placeOf(a) < placeOf(b)) - (placeOf(a) > placeOf(b))));
  return { next: nextPage(response, path), arrived };
}

/** Reads older ones: a page, or all that someone searches or downloads. What is under way goes on. */
function readOlder() {
  const current = reading;
  const readOn = async () => {
    if (!olderPath) return;
    do {
      olderPath = (await readPage(olderPath)).next;
      endProblem();
      endWaiting();
    } while (olderPath && wantsAll());
  };
  current.older ??= readOn().finally(() => {
    current.older = undefined;
    offerChoices();
    render();
  });
  render();
  return current.older;
}

/** The place of the newest one that this page has ever listed: a filter can find only old ones, or none. */
function newestPlace() {
  const [newest] = contacts.values();
  return newest && placeOf(newest) > knownBefore ? placeOf(newest) : knownBefore;
}

/** Reads what came since the newest one by the clock of the API. A minute of overlap misses nothing. */
async function readNewer() {
  const newest = newestPlace();
  if (contacts.size === 0 && (olderPath || !newest)) {
    olderPath ??= firstPath;
    return readOlder();
  }
  const since = new Date(Date.parse(newest) - 60_000).toISOString();
  let all = 0;
  for (let path = listPath({ order: 'asc', since, limit: pageSize }); path; ) {
    const { next, arrived } = await readPage(path);
    path = next;
    all += arrived;
    endProblem();
  }
  endWaiting();
  offerChoices();
  if (all > 0) announce(`${all} new`);
}

let spamTime = -Infinity;

/** Counts the spam that is newer than what this browser has shown, or remembers what it shows. */
async function countSpam() {
  const seen = recall('spam');
  if (isSpam()) {
    const [newest] = contacts.values();
    newSpam = '';
    if (newest && !(seen > newest.createdAt)) remember('spam', newest.createdAt);
  } else if (performance.now() - spamTime > spamInterval) {
    const since = seen && { since: new Date(Date.parse(seen) + 1).toISOString() };
    const path = `/api/v1/contact?${new URLSearchParams({ spam: true, limit: pageSize, ...since })}`;
    const response = await request(path);
    const { length } = await response.json();
    newSpam = length > 0 ? `${length}${nextPage(response, path) ? '+' : ''} new in spam` : '';
    spamTime = performance.now();
  }
  render();
}

let refreshTimer;

async function refresh() {
  clearTimeout(refreshTimer);
  if (!checkSignIn()) return;
  await attempt(async () => {
    if (!may) {
      may = await readPermissions();
      // A restored filter did not know the campaign's id.
      campaignsRead = readCampaigns().then(applyFilters, () => {});
      openNamed();
    }
    await readNewer();
    await countSpam();
  });
  // Another refresh can have set the timer meanwhile.
  clearTimeout(refreshTimer);
  refreshTimer = setTimeout(refresh, refreshInterval);
}

/** Reads the list from its beginning. */
function reload() {
  reading.abort();
  reading = new AbortController();
  knownBefore = newestPlace();
  contacts.clear();
  selected.clear();
  room = pageSize;
  firstPath = listPath({ limit: pageSize });
  olderPath = firstPath;
  render();
  announce('Loading…');
  refresh();
}

/** Puts more rows into the page. If all are there, reads older ones. */
function showMore() {
  const isAll = shown.length <= room;
  room += pageSize;
  isStopped = false;
  if (isAll) attempt(readOlder);
  render();
}

/** Filters anew. What the API filters, it has to list anew. */
function applyFilters() {
  const values = [ui.spam, ...filters].map(({ id, value }) => [id, value]);
  sessionStorage.setItem('filters', JSON.stringify(Object.fromEntries(values)));
  isStopped = false;
  room = pageSize;
  if (listPath({ limit: pageSize }) !== firstPath) return reload();
  if (olderPath && wantsAll()) attempt(readOlder);
  render();
}

function restoreFilters() {
  const values = JSON.parse(sessionStorage.getItem('filters')) ?? {};
  for (const [id, value] of Object.entries(values)) {
    if (choices.includes(ui[id])) ui[id].append(new Option(value));
    ui[id].value = value;
  }
}

ui.filters.addEventListener('submit', (event) => {
  event.preventDefault();
  ui.menu.ariaExpanded = 'false';
  focusOn(linkTo(shown[0]?.id) ?? ui.text);
});
// While someone types the year 2026, it is 2, 20 and 202.
ui.filters.addEventListener('input', ({ target }) => target.validity.valid && applyFilters());
ui.clear.addEventListener('click', () => {
  for (const filter of filters) filter.value = '';
  applyFilters();
});
ui.stop.addEventListener('click', () => {
  isStopped = true;
  render();
});
ui.newSpam.addEventListener('click', () => {
  ui.spam.value = String(!isSpam());
  applyFilters();
});
ui.menu.addEventListener('click', () => {
  ui.menu.ariaExpanded = ui.menu.ariaExpanded !== 'true';
});
ui.older.addEventListener('click', showMore);
new IntersectionObserver(
  ([{ isIntersecting }]) => isIntersecting && (shown.length > room || !isStopped) && showMore(),
  { rootMargin: '600px' },
).observe(ui.older);

// What was read in this browser

let read = new Set();

/** Spam is never unread. */
const isRead = ({ id }) => isSpam() || read.has(id);

/** Ids only: the next user of this browser learns nothing from them. */
function rememberRead(ids) {
  read = new Set(ids.slice(-20_000));
  remember('read', [...read]);
  render();
}

const markRead = (ids) => rememberRead([...read, ...ids]);

function markUnread(ids) {
  rememberRead([...read].filter((id) => !ids.includes(id)));
  if (ids.includes(opened?.id)) ui.close.click();
}

ui.markAllRead.addEventListener('click', () => {
  const ids = shown.map(({ id }) => id);
  if (isSure(ids, `Mark ${ids.length} contact requests as read?`)) markRead(ids);
});
ui.markUnread.addEventListener('click', () => markUnread([opened.id]));

// Another window of this browser has read something, or signed out.
addEventListener('storage', () => {
  read = new Set(recall('read'));
  if (checkSignIn()) render();
});

// An opened contact request

const isId = /^[\da-f-]{36}$/;

const openedId = () => isId.exec(location.hash.slice(1))?.[0];

/** Only an address that begins as it should becomes a link: what a visitor sent must not run. */
function addressLink(href, text) {
  if (!/^(https:|mailto:|tel:)/.test(href)) return text;
  // To come back from a site would load the list again, and lose the place in it.
  return element('a', { href, target: href.startsWith('https:') ? '_blank' : '' }, text);
}

const mailTo = (address) => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;

/** As much of a text as fits into a part of a link, without half a letter at its end. */
function encodeStart(text, room) {
  let encoded = '';
  for (const { segment } of new Intl.Segmenter().segment(text.toWellFormed())) {
    const next = encoded + encodeURIComponent(segment.replace('\n', '\r\n'));
    if (next.length > room) return `${encoded}${encodeURIComponent(' […]')}`;
    encoded = next;
  }
  return encoded;
}

/** Windows passes on about 2,000 characters of a link. */
function replyTo(contact) {
  const { email, message = '', createdAt } = contact;
  const subject = (subjectIn(contact) ?? 'Your message').replaceAll(/\s+/g, ' ');
  const quote = message.replaceAll(/^/gm, '> ');
  const start = `${mailTo(email)}?subject=${encodeStart(`Re: ${subject}`, 300)}&body=`;
  const said = `\n\n${longTime.format(new Date(createdAt))}, ${visitorIn(contact)}:\n${quote}`;
  return start + encodeStart(said, 1_950 - start.length);
}

/** A stage's URL ends with the name of the environment; a custom domain does not tell. */
function environmentOption() {
  const { hostname, pathname } = new URL(base);
  return isLocal(hostname) ? '' : ` --env ${pathname.slice(1) || '…'}`;
}

function describe(list, entries) {
  const parts = entries.flatMap(([label, value]) => [
    element('dt', { dir: 'auto' }, label),
    ...[value].flat().map((each) => element('dd', { dir: 'auto' }, each)),
  ]);
  list.replaceChildren(...parts);
}

/** Every field but `extra`, with its label. */
const labels = {
  message: 'Message',
  firstName: 'First name',
  lastName: 'Last name',
  email: 'Email address',
  phone: 'Phone number',
  company: 'Company',
  form: 'Form',
  campaign: 'Campaign',
  site: 'Site',
  createdAt: 'Received',
  releasedAt: 'Released from spam',
  keptUntil: 'Kept until',
  id: 'ID',
};

/** Of each defence, why it marks. */
const spamReasons = {
  trap: 'the hidden field was filled in',
  'no trap': 'the form came without the hidden field',
  'no proof': 'the proof of work was missing or wrong',
  sender: 'the address is on your list',
  links: 'there are more links than you allow',
  words: 'there is a word of your list',
  captcha: 'the captcha was not solved, or its provider refused it',
};

/** How a value is shown that is more than a text. */
const elementOf = {
  email: (value) => addressLink(mailTo(value), emailForPeople({ email: value })),
  phone: (value) => addressLink(telTo(value), value),
  site: (value) => addressLink(value, value),
  createdAt: (value) => timeOf(value, longTime),
  releasedAt: (value) => timeOf(value, longTime),
  keptUntil: (value) => timeOf(value, longTime),
};

/** A screen reader reads the next title only if another element gets the focus: after `j`, the old one has it already. */
function renewTitle() {
  const title = ui.openedTitle.cloneNode();
  ui.openedTitle.replaceWith(title);
  ui.openedTitle = title;
}

function describeFields(contact) {
  const given = Object.keys(labels).filter((name) => contact[name]);
  const entries = given.map((name) => [labels[name], elementOf[name]?.(contact[name]) ?? contact[name]]);
  const messages = contact.message ? 1 : 0;
  describe(ui.message, entries.slice(0, messages));
  describe(ui.fields, entries.slice(messages));
}

function show(contact) {
  if (opened?.id !== contact.id) renewTitle();
  opened = contact;
  const { id, email, spamReason } = contact;
  ui.isSpam.hidden = !spamReason;
  const reason = spamReasons[spamReason] ?? spamReason ?? '';
  ui.spamReason.textContent =
    reason && `Marked as spam: ${reason}. To release it, an operator runs this in the project's folder:`;
  ui.openedTitle.textContent = visitorIn(contact);
  describeFields(contact);
  // Visitors choose these names, so they stand apart: one could look like the service's own address or site.
  const others = extraForPeople(contact);
  describe(ui.extra, others);
  ui.otherFields.hidden = others.length === 0;
  ui.reply.hidden = !email;
  if (email) ui.reply.href = replyTo(contact);
  ui.release.textContent = `npx --no-install crcs contacts release ${id}${environmentOption()}`;
  markRead([id]);
  linkTo(id)?.scrollIntoView({ block: 'nearest' });
  // What has the focus already, does not scroll by getting it.
  ui.openedTitle.focus({ preventScroll: true });
  ui.openedTitle.scrollIntoView({ block: 'nearest' });
}

ui.copy.addEventListener('click', () =>
  navigator.clipboard.writeText(ui.release.textContent).then(
    () => announce('Copied.'),
    () => announce('This browser does not copy. Select the command instead.'),
  ),
);

/** Opens what the address names. Asks the API, since another person can have deleted it. */
async function openNamed() {
  const id = openedId();
  if (opened && opened.id !== id) close();
  if (!id || deletions.has(id)) return;
  if (contacts.has(id)) show(contacts.get(id));
  await attempt(async () => {
    try {
      const response = await request(`/api/v1/contact/${id}`);
      await campaignsRead;
      const contact = nameCampaign(await response.json());
      if (contacts.has(id)) add(contact);
      const sunset = response.headers.get('Sunset');
      if (sunset) contact.keptUntil = new Date(sunset).toISOString();
      if (openedId() !== id || deletions.has(id)) return;
      const isKnown = opened?.id === id && opened.releasedAt === contact.releasedAt;
      if (isKnown) describeFields(contact);
      else show(contact);
    } catch (error) {
      if (error.status !== 404) throw error;
      takeAway(id);
    }
  });
}

/** Takes out what somebody else has deleted, or another window. */
function takeAway(id) {
  const isShown = openedId() === id && !deletions.has(id);
  forget(id);
  render();
  if (!isShown) return;
  ui.close.click();
  announce('This contact request has been deleted.');
}

function close() {
  const id = opened?.id;
  opened = undefined;
  render();
  focusOn(linkTo(id));
}

ui.close.addEventListener('click', () => {
  history.pushState(null, '', location.pathname);
  close();
});

ui.list.addEventListener('click', ({ target }) => {
  if (target.closest('a')?.hash === location.hash) openNamed(); // No change of the address tells the page.
});
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#token=')) {
    takeLocalToken();
    location.reload();
  } else if (token !== null) {
    announce('');
    openNamed();
  }
});

// Deleting

let undoTimer;
/** Ends when all deletions so far have been sent, one after the other. */
let sent = Promise.resolve();

/** Ids of what was spam when someone deleted it. Somebody else can release it meanwhile. */
const spamIds = new Set();

const deletionsThat = (...states) => [...deletions.keys()].filter((id) => states.includes(deletions.get(id)));

const selectedIds = () => shown.map(({ id }) => id).filter((id) => selected.has(id));

const isSure = (ids, question) => ids.length <= many || confirm(question);

function remove(ids) {
  if (ids.length === 0 || !may?.delete) return;
  if (!isSure(ids, `Delete ${ids.length} contact requests?`)) return;
  announce('');
  const after = neighbour(ids.at(-1), 1) ?? neighbour(ids[0], -1);
  for (const id of ids) {
    deletions.set(id, 'waiting');
    selected.delete(id);
    if ((contacts.get(id) ?? opened).spamReason) spamIds.add(id);
  }
  failed = 0;
  commitLater();
  if (ids.includes(opened?.id)) ui.close.click();
  render();
  // Without keys, Undo would be far away.
  focusOn(ui.shortcuts.checked ? linkTo(after?.id) : ui.undo);
}

/** Someone who has reached Undo has all the time they need. */
function commitLater() {
  clearTimeout(undoTimer);
  undoTimer = setTimeout(() => (ui.undo.matches(':hover, :focus') ? commitLater() : commit()), undoTime);
}

function commit() {
  clearTimeout(undoTimer);
  const ids = deletionsThat('waiting');
  for (const id of ids) deletions.set(id, 'sending');
  render();
  sent = sent.then(() => sendDeletions(ids));
  return sent;
}

/** Sends deletions. One that fails comes back to the list, selected. */
async function sendDeletions(ids) {
  let error;
  for (const id of ids) {
    // After any other error, such as no connection, the rest would fail too.
    if (!error || error.status === 500 || error.isReleased) error = await errorOfDeleting(id);
    if (error) {
      failed += 1;
      deletions.delete(id);
      selected.add(id);
      announce(`${failed} not deleted. ${await reasonOf(error)}`, true);
    } else {
      forget(id);
      windows.postMessage(id);
    }
    render();
  }
}

/** Deletes one, or finds it deleted. @returns why it failed, if it did */
async function errorOfDeleting(id) {
  const path = `/api/v1/contact/${id}`;
  try {
    if (spamIds.has(id) && (await (await request(path)).json()).releasedAt) return { isReleased: true };
    await request(path, { method: 'DELETE' });
  } catch (error) {
    if (error.status !== 404) return error;
  }
}

function forget(id) {
  deletions.set(id, 'done');
  contacts.delete(id);
}

/** Other windows of this browser hear what this one has deleted. */
const windows = new BroadcastChannel(base);
windows.addEventListener('message', ({ data }) => takeAway(data));

ui.undo.addEventListener('click', () => {
  const ids = deletionsThat('waiting');
  if (ids.length === 0) return;
  clearTimeout(undoTimer);
  for (const id of ids) deletions.delete(id);
  render();
  announce('Brought back.');
  focusOn(linkTo(ids[0]));
});
ui.list.addEventListener('change', ({ target }) => {
  const { id } = target.closest('li').contact;
  if (target.checked) selected.add(id);
  else selected.delete(id);
  render();
});
ui.selectAll.addEventListener('click', () => {
  const isAll = selectedIds().length === shown.length;
  for (const { id } of shown) isAll ? selected.delete(id) : selected.add(id);
  render();
});
ui.deleteSelected.addEventListener('click', () => remove(selectedIds()));
ui.delete.addEventListener('click', () => remove([opened.id]));

let programOpened = -Infinity;
// A link to another program does not leave the page, but the browser asks as if it did.
ui.opened.addEventListener('click', ({ target, timeStamp }) => {
  if (target.closest('[href^="mailto:"], [href^="tel:"]')) programOpened = timeStamp;
});
addEventListener('beforeunload', (event) => {
  const isLeaving = event.timeStamp - programOpened > 1_000;
  if (isLeaving && token && deletionsThat('waiting', 'sending').length > 0) event.preventDefault();
});

// Download

async function download() {
  if (isDownloading) return;
  isStopped = false;
  isDownloading = true;
  try {
    await readOlder();
  } finally {
    isDownloading = false;
    render();
  }
  if (olderPath) return announce('Nothing saved.');
  const href = URL.createObjectURL(new Blob(csvOf(shown, separatorIn()), { type: 'text/csv' }));
  element('a', { href, download: 'contact-requests.csv' }).click();
  URL.revokeObjectURL(href);
  announce('Downloaded.');
}

ui.download.addEventListener('click', () => attempt(download));

// Keys

function neighbour(id, step) {
  return shown[shown.findIndex((contact) => contact.id === id) + step];
}

const focusedId = () => document.activeElement.closest('#list li')?.contact.id;

function move(step) {
  // Of two keys in quick succession, the second comes before the first has opened one.
  const current = contacts.has(openedId()) ? openedId() : focusedId();
  const found = current ? neighbour(current, step) : shown[0];
  if (!found) return;
  if (opened) {
    location.replace(`#${found.id}`);
    show(found);
  } else linkTo(found.id).focus();
}

/** What a key acts on: the opened one; in the list, those selected or the one in focus. */
function current() {
  const focused = focusedId();
  if (opened && !focused) return [opened.id];
  const ids = selectedIds();
  return ids.length === 0 && focused ? [focused] : ids;
}

const keys = {
  j: () => move(1),
  k: () => move(-1),
  '#': () => remove(current()),
  u: () => ui.undo.click(),
  U: () => markUnread(current()),
  '/': () => ui.text.focus(),
  '?': () => ui.help.showModal(),
  Escape: () => opened && ui.close.click(),
};

document.addEventListener('keydown', (event) => {
  // With Alt, some keyboards write `#`.
  if ((event.ctrlKey && !event.altKey) || event.metaKey || event.isComposing || !ui.shortcuts.checked) return;
  if (ui.app.hidden || event.target.closest('input:not([type="checkbox"]), select, dialog')) return;
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});
ui.showHelp.addEventListener('click', () => ui.help.showModal());
ui.shortcuts.addEventListener('change', () => remember('keys', ui.shortcuts.checked));

// Start

function start() {
  takeLocalToken();
  token = sessionStorage.getItem('token') ?? keptToken() ?? null;
  ui.signInReason.textContent = sessionStorage.getItem('reason') ?? '';
  ui.starting.hidden = true;
  ui.signIn.hidden = token !== null;
  ui.app.hidden = token === null;
  ui.keep.parentElement.hidden = isLocal(location.hostname);
  ui.example.hidden = !isLocal(new URL(base).hostname);
  ui.shortcuts.checked = recall('keys') ?? true;
  if (token === null) return ui.token.focus();
  read = new Set(recall('read'));
  restoreFilters();
  reload();
}

document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && refresh());
addEventListener('online', refresh);
// Going back can bring back a page as it was before signing out, even its sessionStorage.
addEventListener('pagehide', () => ui.app.remove());
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  if (keptToken()) location.reload();
  else leave('You left the inbox. Sign in again.');
});
start();
