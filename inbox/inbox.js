// The inbox: a client of the API, like any staff script. index.html has the base URL of the API.

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
const undoTime = 5_000;

let token;
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
/** By id: why it was not deleted. */
const notes = new Map();
/** How many the last deletion did not delete, and why. */
let failure = '';
/** Until the API has refused it. */
let canDelete = true;
/** The contact request beside the list. */
let opened;
/** Ids of what was spam when it was read. */
const spamIds = new Set();
/** What the search looks into. */
const texts = new WeakMap();
/** Ends the reading of the list when its filters change. */
let reading = new AbortController();
let olderPath;
/** Whether the API has answered this page. */
let hasAnswered = false;

// Parts of the page

/** Sets properties only, and adds strings as text: nothing that a visitor sent can become an element. */
function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Screen readers read a text again whenever it is written. */
function write(part, text) {
  if (part.textContent !== text) part.textContent = text;
}

const announce = (text) => write(ui.status, text);

/** Moves the focus to a part, or to what stands in its place. The page then stays where it is. */
function focusOn(part) {
  const found = [part, ui.requests, ui.openedTitle].find((each) => each?.checkVisibility());
  found?.focus({ preventScroll: found !== part });
}

// Asking the API

class Refusal extends Error {
  constructor(status, details) {
    super(`Status ${status}`);
    Object.assign(this, { status, details });
  }
}

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Sends a request with the token, again later if the API is busy. @throws {Refusal} */
async function request(path, options = {}, retries = 3) {
  const { method = 'GET', accept = 'application/json', timeout = 60_000, signal } = options;
  const response = await fetch(base + path, {
    method,
    headers: { Authentication: token, Accept: accept },
    signal: AbortSignal.any([AbortSignal.timeout(timeout), ...(signal ? [signal] : [])]),
  });
  if (response.ok) {
    hasAnswered = true;
    return response;
  }
  if ([429, 503].includes(response.status) && retries > 0) {
    const seconds = Number(response.headers.get('Retry-After')) || 1;
    announce(`The API is busy. Trying again in ${seconds} s.`);
    await wait(seconds * 1000);
    announce('');
    return request(path, options, retries - 1);
  }
  if (response.status === 401 && token) leave('The token is unknown, expired or revoked. Ask for another one.');
  const details = (await response.json().catch(() => undefined))?.details;
  throw new Refusal(response.status, Array.isArray(details) ? details : []);
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
  if (status >= 500) return `The API has a fault (${status}). Try again later.`;
  if (error instanceof SyntaxError) return 'The answer is not from the API, or incomplete. Try again.';
  if (!baseUrl.endsWith('/')) return 'In index.html, the base URL after connect-src needs a slash at its end.';
  // If CORS forbids the page to read an answer, fetch fails as if there were none.
  const probe = () => fetch(`${base}/api/v1/contact`, { mode: 'no-cors', signal: AbortSignal.timeout(10_000) });
  if (!hasAnswered && (await probe().catch(() => undefined))) {
    return `${base} does not accept pages of ${origin}. Correct the base URL in index.html, or add this origin to inboxOrigins and deploy.`;
  }
  return `${base} does not answer. Check your connection.`;
}

/** Runs something that asks the API, once at a time for a button. If that fails, says why, and offers to try again. */
async function attempt(action, button = {}) {
  // A disabled button would lose the focus.
  if (button.ariaDisabled === 'true') return;
  button.ariaDisabled = 'true';
  try {
    await action();
  } catch (error) {
    if (error.name === 'AbortError' || error.status === 401) return;
    announce('');
    write(ui.reason, await reasonOf(error));
    ui.problem.hidden = false;
    ui.retry.onclick = () => {
      endProblem();
      attempt(action, button);
    };
  } finally {
    button.ariaDisabled = 'false';
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

/** Forgets the token and all data: loading the page again leaves nothing in memory. */
function leave(reason = '') {
  const count = notes.size + deletionsThat('waiting', 'sending').length;
  token = null;
  sessionStorage.clear();
  sessionStorage.setItem('reason', count > 0 ? `${reason} ${count} not deleted.` : reason);
  location.replace(location.pathname);
}

ui.signIn.addEventListener('submit', (event) => {
  event.preventDefault();
  const given = ui.token.value.trim().replace(/^bearer +/i, '');
  if (!/^crcs_[\w-]+$/.test(given)) {
    ui.signInReason.textContent = 'This is not a token: tokens begin with crcs_, and have no spaces.';
    return;
  }
  ui.token.value = '';
  sessionStorage.setItem('token', given);
  start();
  focusOn(ui.requests);
});

ui.signOut.addEventListener('click', async () => {
  ui.app.hidden = true;
  ui.starting.hidden = false;
  ui.starting.textContent = 'Sending what you deleted. Keep this page open.';
  sessionStorage.clear();
  await commit();
  localStorage.removeItem('read');
  leave();
});

// The list

const shortTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const longTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

const timeOf = (value, format) =>
  element('time', { dateTime: value, lang: format.resolvedOptions().locale }, format.format(new Date(value)));

const placeOf = ({ releasedAt, createdAt }) => releasedAt ?? createdAt;

// Names of fields without case, accents, blanks and punctuation, as functions/contacts/field-names.ts reads them.
const visitorName =
  /^(?!from)(?:customer|contact|visitor|client|sender|fields|input|votre|field|from|user|your|ihre|form|txt|ihr)*(?:name|fullname|vollstaendigername|vollstandigername|vorundnachname|nom|nomcomplet|nometprenom|prenometnom|nombre|tunombre|sunombre|nombrecompleto|nombreyapellido|nombreyapellidos|nome|nomecompleto|naam)$/;
const subjectName =
  /^(?:customer|contact|visitor|client|sender|fields|input|votre|field|from|user|your|ihre|form|txt|ihr)*(?:subject)$/;

const spell = (name) =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Some letters, and Braille's blank, are invisible. */
const isVisible = (text) => /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u.test(text);

/** The first text of the extra fields with such a name. */
const firstNamed = (extra, spelling) =>
  Object.entries(extra)
    .flatMap(([name, value]) => (spelling.test(spell(name)) ? value : []))
    .find(isVisible);

/** A whole name completes a first or last name, as `Nom` completes `Prénom`, unless it has that in it. */
function nameIn({ firstName = '', lastName = '', extra = {} }) {
  const both = `${firstName} ${lastName}`.trim();
  const whole = firstNamed(extra, visitorName);
  if (!whole || (firstName && lastName)) return both;
  return whole.includes(both) ? whole : `${firstName} ${whole} ${lastName}`.trim();
}

const visitorIn = (contact) =>
  [nameIn(contact), contact.email, contact.phone].find((text) => text !== undefined && isVisible(text)) ?? 'A visitor';

const textsOf = ({ id, createdAt, releasedAt, spamReason, extra = {}, ...fields }) =>
  [...Object.values(fields), ...Object.values(extra)].flat();

const searchable = (text) => text.normalize().toLocaleLowerCase();

const isSpam = () => ui.spam.value === 'true';

const isFiltered = () => ui.text.value.trim() !== '' || ui.site.value !== '' || ui.form.value !== '';

/** Shows everything as it is now: the rows, what counts them, and what acts on them. */
function render() {
  const { activeElement } = document;
  const words = searchable(ui.text.value.trim()).split(/\s+/);
  const loaded = [...contacts.values()].filter(({ id }) => !deletions.has(id));
  const [site, form] = [ui.site.value, ui.form.value];
  const hasChosen = (contact) => (!site || contact.site === site) && (!form || contact.form === form);
  const hasWords = (contact) => words.every((word) => texts.get(contact).includes(word));
  shown = loaded.filter((contact) => hasChosen(contact) && hasWords(contact));
  renderRows(shown.slice(0, room));

  const unread = loaded.filter((contact) => !isRead(contact)).length;
  document.title = unread > 0 ? `(${unread}) Inbox` : 'Inbox';
  write(ui.summary, `${unread} unread`);
  write(ui.loaded, `Search the ${loaded.length} loaded`);
  const nothing = ui.from.value || ui.to.value ? 'No contact requests in these dates.' : 'No contact requests.';
  const none = loaded.length > 0 ? `None of the ${loaded.length} loaded matches.` : nothing;
  write(ui.none, shown.length > 0 || (loaded.length === 0 && olderPath) ? '' : none);
  ui.older.hidden = olderPath === undefined && shown.length <= room;
  ui.markAllRead.hidden = unread === 0;
  ui.opened.hidden = !opened;
  ui.isSpam.hidden = !spamIds.has(opened?.id);

  const count = selectedIds().length;
  ui.selectAll.hidden = !canDelete || shown.length === 0;
  write(ui.selectAll, count < shown.length ? 'Select all shown' : 'Select none');
  ui.deleteSelected.hidden = !canDelete || count === 0;
  write(ui.deleteSelected, `Delete ${count} selected`);
  ui.delete.hidden = !canDelete;
  ui.cannotDelete.hidden = canDelete;
  const waiting = deletionsThat('waiting').length;
  ui.undo.hidden = waiting === 0;
  const deleted = waiting > 1 ? `Deleted ${waiting}.` : 'Deleted.';
  write(ui.undoText, waiting > 0 ? deleted : failure);
  const sending = deletionsThat('sending').length;
  write(ui.sending, sending > 0 ? `Deleting ${sending}…` : '');
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
    const [box, link, note] = item.children;
    box.checked = selected.has(id);
    box.hidden = !canDelete;
    link.ariaCurrent = id === opened?.id ? 'true' : null;
    link.firstElementChild.hidden = isRead(contact);
    write(note, notes.get(id) ?? '');
  }
}

function rowFor(contact) {
  const visitor = visitorIn(contact);
  const excerpt = (contact.message ?? textsOf(contact).join(' · ')).slice(0, 200).toWellFormed();
  const time = timeOf(placeOf(contact), shortTime);
  const origin = [contact.form, contact.site].filter(Boolean).flatMap((each) => [' · ', element('bdi', {}, each)]);
  return element(
    'li',
    { contact },
    element('input', { type: 'checkbox', ariaLabel: `Select ${visitor}, ${time.textContent}` }),
    element(
      'a',
      { href: `#${contact.id}` },
      element('b', { className: 'badge' }, 'Unread'),
      element('strong', { dir: 'auto' }, visitor),
      element('span', { dir: 'auto' }, excerpt),
      element('small', {}, time, ...origin),
    ),
    element('p', { className: 'note' }),
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

/** The path of a list with the filters that the API knows. */
function listPath(parameters) {
  const startOf = (date, days = 0) => {
    const [year, month, day] = date.split('-').map(Number);
    return new Date(year, month - 1, day + days).toISOString();
  };
  const query = new URLSearchParams(parameters);
  if (isSpam()) query.set('spam', 'true');
  if (ui.to.value) query.set('until', startOf(ui.to.value, 1));
  if (ui.from.value) {
    const since = [startOf(ui.from.value), query.get('since') ?? ''].sort().at(-1);
    query.set('since', since);
  }
  return `/api/v1/contact?${query}`;
}

/** Remembers whether it was spam when it was read. */
function remember({ id, spamReason }) {
  if (spamReason) spamIds.add(id);
  else spamIds.delete(id);
}

/** Adds a contact request to those loaded. @returns whether it is new to the list */
function add(contact) {
  const { id } = contact;
  remember(contact);
  const known = contacts.get(id);
  if (known && placeOf(known) === placeOf(contact)) return false;
  contacts.set(id, contact);
  texts.set(contact, searchable(textsOf(contact).join(' ')));
  for (const choice of [ui.site, ui.form]) {
    const value = contact[choice.id];
    if (value && ![...choice.options].some((option) => option.value === value)) choice.append(new Option(value, value));
  }
  return !deletions.has(id);
}

/** Reads a page into the list. @returns the path of the next one, and how many were new */
async function readPage(path) {
  const { signal } = reading;
  const response = await request(path, { signal });
  const page = await response.json();
  signal.throwIfAborted();
  const count = page.filter(add).length;
  contacts = new Map([...contacts].sort(([, a], [, b]) => (placeOf(a) < placeOf(b)) - (placeOf(a) > placeOf(b))));
  return { next: nextPage(response, path), count };
}

async function readOlder() {
  olderPath = (await readPage(olderPath ?? listPath({ limit: pageSize }))).next;
  endProblem();
  announce('');
}

/** Reads what came since the newest one by the clock of the API. A minute of overlap misses nothing. */
async function readNewer() {
  const [newest] = contacts.values();
  if (!newest) return readOlder();
  const since = new Date(Date.parse(placeOf(newest)) - 60_000).toISOString();
  let arrived = 0;
  for (let path = listPath({ order: 'asc', since, limit: pageSize }); path; ) {
    const { next, count } = await readPage(path);
    path = next;
    arrived += count;
    endProblem();
  }
  announce(arrived > 0 ? `${arrived} new` : '');
}

let refreshTimer;

async function refresh() {
  clearTimeout(refreshTimer);
  await attempt(readNewer);
  // Another refresh can have set the timer meanwhile.
  clearTimeout(refreshTimer);
  refreshTimer = setTimeout(refresh, refreshInterval);
}

/** Reads the list from its beginning. */
function reload() {
  reading.abort();
  reading = new AbortController();
  contacts.clear();
  selected.clear();
  room = pageSize;
  olderPath = undefined;
  render();
  write(ui.none, ''); // Nobody knows yet.
  // The chosen site and form stay, even if no loaded one has them.
  for (const choice of [ui.site, ui.form]) choice.replaceChildren(choice.options[0], ...choice.selectedOptions);
  announce('Loading…');
  return refresh();
}

/** Puts more rows into the page. If all are there, reads older ones. */
function showMore() {
  const isAll = shown.length <= room;
  room += pageSize;
  if (isAll) attempt(readOlder, ui.older);
  else render();
}

ui.filters.addEventListener('submit', (event) => {
  event.preventDefault();
  linkTo(shown[0]?.id)?.focus();
});
ui.filters.addEventListener('input', ({ target }) => {
  if (![ui.spam, ui.from, ui.to].includes(target)) {
    room = pageSize;
    render();
    return announce(shown.length > 0 ? `${shown.length} found` : '');
  }
  // While someone types the year 2026, it is 2, 20 and 202.
  if (!target.validity.valid) return;
  if (target === ui.spam) {
    history.replaceState(null, '', location.pathname);
    opened = undefined;
    sessionStorage.setItem('spam', ui.spam.value);
  }
  reload();
});
ui.older.addEventListener('click', showMore);
new IntersectionObserver(
  ([{ isIntersecting }]) => isIntersecting && (shown.length > room || !isFiltered()) && showMore(),
  { rootMargin: '600px' },
).observe(ui.older);

// What was read in this browser

let read;

function loadRead() {
  try {
    read = new Set(JSON.parse(localStorage.getItem('read')));
  } catch {
    read = new Set();
  }
}

/** Spam is never unread. */
const isRead = ({ id }) => isSpam() || read.has(id);

function markRead(ids) {
  read = new Set([...read, ...ids].slice(-20_000));
  try {
    localStorage.setItem('read', JSON.stringify([...read]));
  } catch {} // It is full: the marks last as long as the page.
  render();
}

ui.markAllRead.addEventListener('click', () => markRead(shown.map(({ id }) => id)));

// Another window of this browser has read something.
addEventListener('storage', () => {
  loadRead();
  render();
});

// An opened contact request

const openedId = () => /^#([\da-f-]{36})$/.exec(location.hash)?.[1];

/** Only an address that begins as it should becomes a link: what a visitor sent must not run. */
function addressLink(href, text) {
  if (!/^(https:|mailto:|tel:)/.test(href)) return text;
  // To come back from a site would load the list again, and lose the place in it.
  return element('a', { href, target: href.startsWith('https:') ? '_blank' : '' }, text);
}

const mailTo = (address) => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;

/**
 * Without an extension, which phones dial wrongly (RFC 3966 has `;ext=`), and without the zero in `+44 (0)20`, which nobody dials
 * from abroad. What is left must be a number: `#` can begin a command to the network, such as `##002#`, and a visitor can send two
 * numbers. The longest has 15 digits (E.164), after a prefix such as 00.
 */
function telTo(phone) {
  const [number] = phone
    .replace(/(\+.*)\(0\)/, '$1')
    .replaceAll(/[^+\dx#]/g, '')
    .split(/[x#]/);
  return /^\+?\d{3,17}$/.test(number) ? `tel:${number}` : '';
}

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
  const { email, message = '', createdAt, extra = {} } = contact;
  const subject = (firstNamed(extra, subjectName) ?? 'Your message').replaceAll(/\s+/g, ' ');
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
  id: 'ID',
};

/** How a value is shown that is more than a text. */
const elementOf = {
  email: (value) => addressLink(mailTo(value), value),
  phone: (value) => addressLink(telTo(value), value),
  site: (value) => addressLink(value, value),
  createdAt: (value) => timeOf(value, longTime),
  releasedAt: (value) => timeOf(value, longTime),
};

function show(contact) {
  opened = contact;
  const { id, email, extra = {}, spamReason } = contact;
  ui.spamReason.textContent = spamReason ? ` (${spamReason})` : '';
  ui.openedTitle.textContent = visitorIn(contact);
  const given = Object.keys(labels).filter((name) => contact[name] !== undefined);
  describe(
    ui.fields,
    given.map((name) => [labels[name], elementOf[name]?.(contact[name]) ?? contact[name]]),
  );
  // Visitors choose these names, so they stand apart: one could look like the service's own address or site.
  describe(ui.extra, Object.entries(extra));
  ui.otherFields.hidden = Object.keys(extra).length === 0;
  ui.reply.hidden = !email;
  if (email) ui.reply.href = replyTo(contact);
  ui.release.textContent = `npx --no-install crcs contacts release ${id}${environmentOption()}`;
  markRead([id]);
  linkTo(id)?.scrollIntoView({ block: 'nearest' });
  ui.openedTitle.focus();
}

/** Opens what the address names. Asks the API, since another person can have deleted it. */
async function openNamed() {
  const id = openedId();
  const isStillThere = () => openedId() === id && !deletions.has(id);
  if (opened && opened.id !== id) close();
  if (!id || deletions.has(id)) return;
  if (contacts.has(id)) show(contacts.get(id));
  await attempt(async () => {
    try {
      const contact = await (await request(`/api/v1/contact/${id}`)).json();
      remember(contact);
      if (isStillThere() && (opened?.id !== id || opened.releasedAt !== contact.releasedAt)) show(contact);
    } catch (error) {
      if (error.status !== 404) throw error;
      const isNamed = isStillThere();
      forget(id);
      if (isNamed) {
        ui.close.click();
        announce('This contact request has been deleted.');
      } else render();
    }
  });
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

const deletionsThat = (...states) => [...deletions.keys()].filter((id) => states.includes(deletions.get(id)));

const selectedIds = () => shown.map(({ id }) => id).filter((id) => selected.has(id));

function remove(ids) {
  if (ids.length === 0 || !canDelete) return;
  const after = neighbour(ids.at(-1), 1) ?? neighbour(ids[0], -1);
  for (const id of ids) {
    deletions.set(id, 'waiting');
    selected.delete(id);
    notes.delete(id);
  }
  failure = '';
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

/** Sends deletions. One that fails comes back to the list, with the reason. */
async function sendDeletions(ids) {
  let fault;
  let failed = 0;
  for (const id of ids) {
    // After any other fault, such as no connection or no permission, the rest would fail too.
    if (!fault || fault.status === 500 || fault.isReleased) fault = await faultOfDeleting(id);
    if (fault) {
      const reason = await reasonOf(fault);
      failed += 1;
      failure = `${failed} not deleted. ${reason}`;
      notes.set(id, `Not deleted. ${reason}`);
      deletions.delete(id);
      if (fault.status === 403) canDelete = false;
    } else forget(id);
    render();
  }
}

/** Deletes one. Somebody else can have deleted it already, or released it from spam. @returns why it failed, if it did */
async function faultOfDeleting(id) {
  const path = `/api/v1/contact/${id}`;
  const timeout = 10_000;
  try {
    if (spamIds.has(id) && (await (await request(path, { timeout })).json()).releasedAt) return { isReleased: true };
    await request(path, { method: 'DELETE', timeout });
  } catch (error) {
    if (error.status !== 404) return error;
  }
}

function forget(id) {
  deletions.set(id, 'done');
  contacts.delete(id);
  notes.delete(id);
}

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

// Campaigns and download

ui.showCampaigns.addEventListener('click', async () => {
  ui.campaigns.showModal();
  ui.campaignList.replaceChildren();
  ui.campaignsStatus.textContent = 'Loading…';
  const items = [];
  try {
    for (let path = '/v1/campaigns'; path; ) {
      const response = await request(path);
      for (const { id, name } of await response.json()) {
        items.push(element('li', {}, element('span', { dir: 'auto' }, name), element('code', {}, id)));
      }
      path = nextPage(response, path);
    }
    ui.campaignList.replaceChildren(...items);
    ui.campaignsStatus.textContent = items.length > 0 ? '' : 'There are no campaigns.';
  } catch (error) {
    ui.campaignsStatus.textContent = await reasonOf(error);
  }
});

async function download() {
  const parts = ['\ufeff']; // Without it, Excel reads UTF-8 as another encoding.
  for (let path = listPath({ limit: pageSize }); path; ) {
    announce(`Downloading page ${parts.length}…`);
    const response = await request(path, { accept: 'text/csv' });
    const csv = await response.text();
    parts.push(parts.length === 1 ? csv : csv.slice(csv.indexOf('\r\n') + 2));
    path = nextPage(response, path);
  }
  const href = URL.createObjectURL(new Blob(parts, { type: 'text/csv' }));
  element('a', { href, download: 'contact-requests.csv' }).click();
  URL.revokeObjectURL(href);
  announce('Downloaded.');
}

ui.download.addEventListener('click', () => attempt(download, ui.download));

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

function removeCurrent() {
  const focused = focusedId();
  if (opened && !focused) return remove([opened.id]);
  const ids = selectedIds();
  remove(ids.length === 0 && focused ? [focused] : ids);
}

const keys = {
  j: () => move(1),
  k: () => move(-1),
  '#': removeCurrent,
  u: () => ui.undo.click(),
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
ui.shortcuts.addEventListener('change', () => localStorage.setItem('keys', ui.shortcuts.checked));

// Start

function start() {
  takeLocalToken();
  token = sessionStorage.getItem('token') || null;
  ui.signInReason.textContent = sessionStorage.getItem('reason') ?? '';
  ui.starting.hidden = true;
  ui.signIn.hidden = token !== null;
  ui.app.hidden = token === null;
  ui.shortcuts.checked = localStorage.getItem('keys') !== 'false';
  if (token === null) return ui.token.focus();
  ui.spam.value = sessionStorage.getItem('spam') ?? 'false';
  loadRead();
  reload();
  openNamed();
}

document.addEventListener('visibilitychange', () => token && document.visibilityState === 'visible' && refresh());
addEventListener('online', () => token && refresh());
// Going back can bring back a page as it was before signing out, even its sessionStorage.
addEventListener('pagehide', () => ui.app.remove());
addEventListener('pageshow', ({ persisted }) => persisted && leave('You left the inbox. Sign in again.'));
start();
