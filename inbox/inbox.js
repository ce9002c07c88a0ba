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
/** A browser skips groups that are out of sight. To skip each row by itself costs more than it saves. */
const groupSize = 25;
const refreshInterval = 45_000;
const undoTime = 5_000;

/** By id: the contact request, and its elements in the list. */
const rows = new Map();
/** By id: `waiting` for undo, `sending` or `done`. The list hides them all, even if a reading under way brings one back. */
const deletions = new Map();
/** Ids from the list of spam: by itself, a contact request does not say so. */
const spamIds = new Set();
let token;
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

/** Hides something or shows it. If it has the focus, that moves to the list. */
function hide(part, isHidden) {
  if (isHidden && part.contains(document.activeElement)) ui.requests.focus();
  part.hidden = isHidden;
}

const announce = (text) => {
  ui.status.textContent = text;
};

// Asking the API

class Refusal extends Error {
  constructor(status, details) {
    super(`Status ${status}`);
    Object.assign(this, { status, details });
  }
}

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Sends a request with the token, again later if the API is busy. @throws {Refusal} */
async function request(path, { method = 'GET', accept = 'application/json', signal, retries = 3 } = {}) {
  const response = await fetch(base + path, {
    method,
    headers: { Authentication: token, Accept: accept },
    signal: AbortSignal.any([AbortSignal.timeout(60_000), ...(signal ? [signal] : [])]),
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
    return request(path, { method, accept, signal, retries: retries - 1 });
  }
  if (response.status === 401) leave('The token is unknown, expired or revoked. Ask for another one.');
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
  const { status, details } = error;
  if (status === 403) return 'This token does not have the permission for this. Ask for one that has it.';
  if (status === 429) return 'The API is busy. Try again later.';
  if (status < 500) return [`The API refuses this (${status}).`, ...details.map(({ message }) => message)].join(' ');
  if (status >= 500) return `The API has a fault (${status}). Try again later.`;
  if (error instanceof SyntaxError) return 'The answer is not from the API, or incomplete. Try again.';
  if (!baseUrl.endsWith('/')) return 'In index.html, the base URL after connect-src needs a slash at its end.';
  // If CORS forbids the page to read an answer, fetch fails as if there were none.
  const probe = () => fetch(`${base}/api/v1/contact`, { mode: 'no-cors' });
  if (!hasAnswered && (await probe().catch(() => undefined))) {
    return `${base} does not accept pages of ${origin}. Correct the base URL in index.html, or add this origin to inboxOrigins and deploy.`;
  }
  return `${base} does not answer. Check your connection.`;
}

/** Runs something that asks the API. If that fails, says why, and offers to try again. */
async function attempt(action) {
  try {
    await action();
    hide(ui.problem, true);
    ui.reason.textContent = '';
  } catch (error) {
    if (error.name === 'AbortError') return;
    announce('');
    const reason = await reasonOf(error);
    // A screen reader reads it again whenever it is written.
    if (ui.reason.textContent !== reason) ui.reason.textContent = reason;
    ui.problem.hidden = false;
    ui.retry.onclick = () => {
      hide(ui.problem, true);
      attempt(action);
    };
  }
}

// Signing in and out

const isLocal = (hostname) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** On this machine, `npm start` prints a link with the token. Elsewhere a token in a link would leak. */
function takeLocalToken() {
  if (!location.hash.startsWith('#token=')) return;
  if (isLocal(location.hostname)) {
    sessionStorage.setItem('token', location.hash.slice('#token='.length));
  }
  history.replaceState(null, '', location.pathname);
}

/** Forgets the token and all data: loading the page again leaves nothing in memory. */
function leave(reason = '') {
  const left = deletionsThat('waiting', 'sending').length;
  endUndo();
  deletions.clear();
  sessionStorage.clear();
  sessionStorage.setItem('reason', left > 0 ? `${reason} ${left} not deleted.` : reason);
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
  ui.requests.focus();
});

ui.signOut.addEventListener('click', async () => {
  ui.app.hidden = true;
  ui.starting.hidden = false;
  ui.starting.textContent = 'Sending what you deleted. Keep this page open.';
  sessionStorage.clear();
  await commit();
  localStorage.removeItem('read');
  const failed = [...rows.values()].filter(({ note }) => note.textContent !== '').length;
  leave(failed > 0 ? `${failed} not deleted.` : '');
});

// The list

const shortTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const longTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

const placeOf = ({ releasedAt, createdAt }) => releasedAt ?? createdAt;

const visitorIn = ({ firstName = '', lastName = '', email, phone, extra = {} }) =>
  `${firstName} ${lastName}`.trim() || [extra.name].flat()[0] || email || phone || 'A visitor';

const textsOf = ({ id, createdAt, releasedAt, extra = {}, ...fields }) =>
  [...Object.values(fields), ...Object.values(extra)].flat();

const searchable = (text) => text.normalize().toLocaleLowerCase();

const isSpam = () => ui.spam.value === 'true';

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

/** Adds a contact request at its place, newest first. @returns whether it is new to the list */
function add(contact) {
  if (isSpam()) spamIds.add(contact.id);
  else spamIds.delete(contact.id);
  const known = rows.get(contact.id);
  if (known && placeOf(known.contact) === placeOf(contact)) return false;
  known?.item.remove();

  const visitor = visitorIn(contact);
  const badge = element('b', { className: 'badge' }, 'Unread');
  const excerpt = (contact.message ?? textsOf(contact).join(' · ')).slice(0, 200).toWellFormed();
  const time = element('time', { dateTime: placeOf(contact) }, shortTime.format(new Date(placeOf(contact))));
  const box = element('input', { type: 'checkbox', ariaLabel: `Select ${visitor}, ${time.textContent}` });
  const link = element(
    'a',
    { href: `#${contact.id}` },
    badge,
    element('strong', { dir: 'auto' }, visitor),
    element('span', { dir: 'auto' }, excerpt),
    element(
      'small',
      {},
      time,
      ...[contact.form, contact.site].filter(Boolean).flatMap((each) => [' · ', element('bdi', {}, each)]),
    ),
  );
  const note = element('p', { className: 'note' });
  const item = element('li', { hidden: deletions.has(contact.id) }, box, link, note);
  item.dataset.id = contact.id;
  const text = searchable(textsOf(contact).join(' '));
  rows.set(contact.id, { contact, text, item, link, badge, note });

  const isOlder = (other) => other && placeOf(rows.get(other.dataset.id).contact) <= placeOf(contact);
  const groups = [...ui.list.children];
  let group = groups.find(({ lastElementChild }) => isOlder(lastElementChild)) ?? groups.at(-1);
  const next = [...(group?.children ?? [])].find(isOlder);
  if (!group || (!next && group.children.length >= groupSize)) {
    group = element('ul');
    ui.list.append(group);
  }
  group.insertBefore(item, next ?? null);

  for (const choice of ['site', 'form']) offer(ui[choice], contact[choice]);
  return !item.hidden;
}

/** Of 10,000 rows, `querySelectorAll` would visit every descendant. */
const shownItems = () => [...ui.list.children].flatMap(({ children }) => [...children]).filter(({ hidden }) => !hidden);

function offer(select, value) {
  if (value && ![...select.options].some((option) => option.value === value)) select.append(new Option(value));
}

/** Shows what matches the filters that the API does not know. @returns how many */
function applyFilters() {
  const words = searchable(ui.text.value.trim()).split(/\s+/);
  const [site, form] = [ui.site.value, ui.form.value];
  let [unread, loaded, shown] = [0, 0, 0];
  for (const { contact, text, item, badge } of rows.values()) {
    item.hidden = deletions.has(contact.id);
    badge.hidden = isRead(contact);
    if (item.hidden) continue;
    loaded += 1;
    unread += !badge.hidden;
    const matches =
      (!site || contact.site === site) &&
      (!form || contact.form === form) &&
      words.every((word) => text.includes(word));
    item.hidden = !matches;
    shown += matches;
  }
  for (const group of ui.list.children) {
    const count = [...group.children].filter(({ hidden }) => !hidden).length;
    group.hidden = count === 0;
    group.style.setProperty('--rows', count);
  }
  document.title = unread > 0 ? `(${unread}) Inbox` : 'Inbox';
  ui.summary.textContent = `${unread} unread`;
  ui.loaded.textContent = `Search the ${loaded} loaded`;
  ui.none.hidden = shown > 0;
  const nothing = ui.from.value || ui.to.value ? 'No contact requests in these dates.' : 'No contact requests.';
  ui.none.textContent = loaded > 0 ? `None of the ${loaded} loaded matches.` : nothing;
  hide(ui.older, olderPath === undefined);
  hide(ui.markAllRead, unread === 0);
  countSelected();
  return shown;
}

const isFiltered = () => ui.text.value.trim() !== '' || ui.site.value !== '' || ui.form.value !== '';

/** Reads a page into the list. @returns the path of the next one, and how many were new */
async function readPage(path, { signal }) {
  const response = await request(path, { signal });
  const contacts = await response.json();
  signal.throwIfAborted();
  const count = contacts.filter(add).length;
  return { next: nextPage(response, path), count };
}

async function readOlder() {
  // A disabled button would lose the focus.
  if (ui.older.ariaDisabled === 'true') return;
  ui.older.ariaDisabled = 'true';
  const { signal } = reading;
  try {
    const { next } = await readPage(olderPath ?? listPath({ limit: pageSize }), { signal });
    olderPath = next;
    applyFilters();
    announce('');
  } finally {
    ui.older.ariaDisabled = 'false';
  }
}

/** Reads what came since the newest one by the clock of the API. A minute of overlap misses nothing. */
async function readNewer() {
  const { signal } = reading;
  const newest = rows.get(ui.list.querySelector('li')?.dataset.id)?.contact;
  if (!newest) return readOlder();
  const since = new Date(Date.parse(placeOf(newest)) - 60_000).toISOString();
  let path = listPath({ order: 'asc', since, limit: pageSize });
  let arrived = 0;
  while (path) {
    const { next, count } = await readPage(path, { signal });
    path = next;
    arrived += count;
    applyFilters();
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
  rows.clear();
  ui.list.replaceChildren();
  olderPath = undefined;
  ui.older.ariaDisabled = 'false';
  // The chosen site and form stay, even if no loaded one has them.
  for (const choice of [ui.site, ui.form]) choice.replaceChildren(choice.options[0], ...choice.selectedOptions);
  announce('Loading…');
  return refresh();
}

ui.filters.addEventListener('submit', (event) => {
  event.preventDefault();
  shownItems()[0]?.querySelector('a').focus();
});
ui.filters.addEventListener('input', ({ target }) => {
  if (![ui.spam, ui.from, ui.to].includes(target)) return announce(`${applyFilters()} found`);
  if (target === ui.spam) {
    history.replaceState(null, '', location.pathname);
    ui.opened.hidden = true;
    sessionStorage.setItem('spam', ui.spam.value);
  }
  reload();
});
ui.older.addEventListener('click', () => attempt(readOlder));
new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && !isFiltered() && attempt(readOlder), {
  rootMargin: '600px',
}).observe(ui.older);

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
  applyFilters();
}

ui.markAllRead.addEventListener('click', () => markRead(shownItems().map(({ dataset }) => dataset.id)));

// Another window of this browser has read something.
addEventListener('storage', () => {
  loadRead();
  applyFilters();
});

// An opened contact request

const openedId = () => /^#([\da-f-]{36})$/.exec(location.hash)?.[1];

/** Only an address that begins as it should becomes a link: what a visitor sent must not run. */
function linkTo(href, text) {
  if (!/^(https:|mailto:|tel:)/.test(href)) return text;
  // To come back from a site would load the list again, and lose the place in it.
  return element('a', { href, target: href.startsWith('https:') ? '_blank' : '' }, text);
}

const mailTo = (address) => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;

/** Without an extension, and without the zero in `+44 (0)20`, which nobody dials from abroad. */
const telTo = (phone) =>
  `tel:${phone
    .replace(/(\+.*)\(0\)/, '$1')
    .split(/[x#]/)[0]
    .replaceAll(/[^+\d]/g, '')}`;

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
  const subject = [extra._subject ?? extra.subject ?? 'Your message'].flat()[0].replaceAll(/\s+/g, ' ');
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
  const given = entries.filter(([, value]) => value !== undefined);
  const parts = given.flatMap(([label, value]) => [
    element('dt', { dir: 'auto' }, label),
    ...[value].flat().map((each) => element('dd', { dir: 'auto' }, each)),
  ]);
  list.replaceChildren(...parts);
}

function show(contact) {
  const { id, email, phone, site, createdAt, releasedAt, extra = {} } = contact;
  const time = (value) => element('time', { dateTime: value }, longTime.format(new Date(value)));
  ui.openedTitle.textContent = visitorIn(contact);
  describe(ui.fields, [
    ['Message', contact.message],
    ['First name', contact.firstName],
    ['Last name', contact.lastName],
    ['Email address', email && linkTo(mailTo(email), email)],
    ['Phone number', phone && linkTo(telTo(phone), phone)],
    ['Company', contact.company],
    ['Form', contact.form],
    ['Site', site && linkTo(site, site)],
    ['Received', time(createdAt)],
    ['Released from spam', releasedAt && time(releasedAt)],
    ['ID', id],
  ]);
  // Visitors choose these names, so they stand apart: one could look like the service's own address or site.
  describe(ui.extra, Object.entries(extra));
  ui.otherFields.hidden = Object.keys(extra).length === 0;
  ui.reply.hidden = !email;
  if (email) ui.reply.href = replyTo(contact);
  ui.isSpam.hidden = !spamIds.has(id);
  ui.release.textContent = `npx crcs contacts release ${id}${environmentOption()}`;
  ui.opened.dataset.id = id;
  ui.opened.hidden = false;
  ui.openedTitle.focus();
  markRead([id]);
}

/** Opens what the address names. Asks the API, since another person can have deleted it. */
async function openNamed() {
  const id = openedId();
  const row = rows.get(id);
  for (const link of ui.list.querySelectorAll('[aria-current]')) link.ariaCurrent = null;
  if (ui.opened.dataset.id !== id || deletions.has(id)) close();
  if (!id || deletions.has(id)) return;
  if (row) {
    row.link.ariaCurrent = 'true';
    row.link.scrollIntoView({ block: 'nearest' });
    show(row.contact);
  }
  await attempt(async () => {
    try {
      const contact = await (await request(`/api/v1/contact/${id}`)).json();
      if (!row && openedId() === id && !deletions.has(id)) show(contact);
    } catch (error) {
      if (error.status !== 404) throw error;
      forget(id);
      applyFilters();
      if (openedId() !== id) return;
      ui.close.click();
      announce('This contact request has been deleted.');
    }
  });
}

function close() {
  if (ui.opened.hidden) return;
  ui.opened.hidden = true;
  (rows.get(ui.opened.dataset.id)?.link ?? ui.requests).focus();
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
  } else if (token !== null) openNamed();
});

// Deleting

let undoTimer;
/** Ends when all deletions so far have been sent, one after the other. */
let sent = Promise.resolve();

const deletionsThat = (...states) => [...deletions.keys()].filter((id) => states.includes(deletions.get(id)));

/** Until the API has refused it. Without the permission, the style sheet hides all that deletes. */
const canDelete = () => ui.cannotDelete.hidden;

const shownBoxes = () => shownItems().map((item) => item.querySelector('input'));
const isChecked = ({ checked }) => checked;
const selected = () =>
  shownBoxes()
    .filter(isChecked)
    .map((box) => box.closest('li').dataset.id);

function countSelected() {
  const boxes = shownBoxes();
  const count = boxes.filter(isChecked).length;
  ui.selectAll.hidden = boxes.length === 0;
  ui.selectAll.textContent = count < boxes.length ? 'Select all shown' : 'Select none';
  ui.deleteSelected.hidden = count === 0;
  ui.deleteSelected.textContent = `Delete ${count} selected`;
}

function remove(ids) {
  if (ids.length === 0 || !canDelete()) return;
  const after = neighbour(rows.get(ids.at(-1))?.item, 1) ?? neighbour(rows.get(ids[0])?.item, -1);
  for (const id of ids) {
    deletions.set(id, 'waiting');
    const box = rows.get(id)?.item.querySelector('input');
    if (box) box.checked = false;
  }
  clearTimeout(undoTimer);
  undoTimer = setTimeout(commit, undoTime);
  const count = deletionsThat('waiting').length;
  ui.undoText.textContent = count === 1 ? 'Deleted.' : `Deleted ${count}.`;
  ui.undo.hidden = false;
  if (!ui.opened.hidden && ids.includes(ui.opened.dataset.id)) ui.close.click();
  applyFilters();
  (after?.querySelector('a') ?? ui.undo).focus();
}

function endUndo() {
  clearTimeout(undoTimer);
  ui.undoText.textContent = '';
  hide(ui.undo, true);
}

function commit() {
  const ids = deletionsThat('waiting');
  for (const id of ids) deletions.set(id, 'sending');
  endUndo();
  sent = sent.then(() => sendDeletions(ids));
  return sent;
}

/** Sends deletions. One that fails comes back to the list, with the reason. */
async function sendDeletions(ids) {
  let fault;
  let failed = 0;
  let failure = '';
  for (const id of ids) {
    ui.sending.textContent = `Deleting ${deletionsThat('sending').length}…`;
    // After any other fault, such as no connection or no permission, the rest would fail too.
    const isHopeless = fault && fault.status !== 500;
    if (!isHopeless) fault = await faultOfDeleting(id);
    if (!fault) {
      forget(id);
      continue;
    }
    const reason = await reasonOf(fault);
    restore(id, `Not deleted. ${reason}`);
    failed += 1;
    failure = `${failed} not deleted. ${reason}`;
    if (fault.status === 403) ui.cannotDelete.hidden = false;
  }
  applyFilters();
  ui.sending.textContent = '';
  if (failure && ui.undo.hidden) ui.undoText.textContent = failure;
}

/** Deletes one. Somebody else can have deleted it already. @returns why it failed, if it did */
async function faultOfDeleting(id) {
  try {
    await request(`/api/v1/contact/${id}`, { method: 'DELETE' });
  } catch (error) {
    if (error.status !== 404) return error;
  }
}

function restore(id, note = '') {
  deletions.delete(id);
  const row = rows.get(id);
  if (row) row.note.textContent = note;
}

function forget(id) {
  deletions.set(id, 'done');
  rows.get(id)?.item.remove();
  rows.delete(id);
}

ui.undo.addEventListener('click', () => {
  const ids = deletionsThat('waiting');
  if (ids.length === 0) return;
  endUndo();
  for (const id of ids) restore(id);
  applyFilters();
  announce('Brought back.');
  rows.get(ids[0])?.link.focus();
});
ui.list.addEventListener('change', countSelected);
ui.selectAll.addEventListener('click', () => {
  const boxes = shownBoxes();
  const isAll = boxes.every(isChecked);
  for (const box of boxes) box.checked = !isAll;
  countSelected();
});
ui.deleteSelected.addEventListener('click', () => remove(selected()));
ui.delete.addEventListener('click', () => remove([ui.opened.dataset.id]));

let isOpeningProgram = false;
// A link to another program does not leave the page, but the browser asks as if it did.
ui.opened.addEventListener('click', ({ target }) => {
  if (!target.closest('[href^="mailto:"], [href^="tel:"]')) return;
  isOpeningProgram = true;
  setTimeout(() => {
    isOpeningProgram = false;
  }, 1_000);
});
addEventListener('beforeunload', (event) => {
  if (!isOpeningProgram && deletionsThat('waiting', 'sending').length > 0) event.preventDefault();
});

// Campaigns and download

ui.showCampaigns.addEventListener('click', async () => {
  ui.campaigns.showModal();
  ui.campaignList.replaceChildren();
  const items = [];
  ui.campaignsStatus.textContent = 'Loading…';
  try {
    for (let path = '/v1/campaigns'; path; ) {
      const response = await request(path);
      items.push(...(await response.json()).map(campaignItem));
      path = nextPage(response, path);
    }
    ui.campaignList.replaceChildren(...items);
    ui.campaignsStatus.textContent = items.length > 0 ? '' : 'There are no campaigns.';
  } catch (error) {
    ui.campaignsStatus.textContent = await reasonOf(error);
  }
});

function campaignItem({ id, name }) {
  const copy = element('button', { type: 'button', ariaLabel: `Copy the ID of ${name}` }, 'Copy');
  copy.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard.writeText(id).then(
      () => true,
      () => false,
    );
    ui.campaignsStatus.textContent = isCopied
      ? `Copied the ID of ${name}.`
      : 'This browser does not let the page copy. Select the ID instead.';
  });
  return element('li', {}, element('span', { dir: 'auto' }, name), element('code', {}, id), copy);
}

ui.download.addEventListener('click', async () => {
  if (ui.download.ariaDisabled === 'true') return;
  ui.download.ariaDisabled = 'true';
  await attempt(async () => {
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
  });
  ui.download.ariaDisabled = 'false';
});

// Keys

function neighbour(item, step) {
  const shown = shownItems();
  return shown[shown.indexOf(item) + step];
}

function move(step) {
  const current = rows.get(openedId())?.item ?? document.activeElement.closest('#list li');
  const found = current ? neighbour(current, step) : shownItems()[0];
  if (!found) return;
  if (ui.opened.hidden) found.querySelector('a').focus();
  else location.replace(`#${found.dataset.id}`);
}

function removeCurrent() {
  const focused = document.activeElement.closest('#list li');
  if (!focused && !ui.opened.hidden) return remove([ui.opened.dataset.id]);
  const ids = selected();
  remove(ids.length === 0 && focused ? [focused.dataset.id] : ids);
}

const keys = {
  j: () => move(1),
  k: () => move(-1),
  '#': removeCurrent,
  u: () => ui.undo.click(),
  '/': () => ui.text.focus(),
  '?': () => ui.help.showModal(),
  Escape: () => !ui.opened.hidden && ui.close.click(),
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
  token = sessionStorage.getItem('token');
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
