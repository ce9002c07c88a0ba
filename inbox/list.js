// The list: the rows that the filters show, those selected among them, and the way from one to the next.

import { attempt, may } from './api.js';
import {
  hasOlder,
  isForDownload,
  isFound,
  isPaused,
  isReading,
  listedAtOf,
  loadedOnes,
  pageSize,
  readOlder,
  resumeReading,
  searchedWords,
  stopReading,
} from './contacts.js';
import { countSending, isDeleted, onFailedDeletion } from './deletions.js';
import { chosenForm, countActive, readPlace, showsSpam } from './filters.js';
import { hasRead } from './memory.js';
import { displayNameOf, excerptOf } from './names.js';
import { element, label, onRender, render, ui, write } from './page.js';
import { say, sayNumber } from './texts.js';
import { periodOf, sayShortTime, sayTime, shortTimeOf } from './times.js';

/** Those loaded, without what someone has deleted. */
let loaded = [];
/** Those among them that the filters show. */
let shown = [];
/** How many of these the page has rows for. With 10,000, it would be slow. */
let room = pageSize;
/** Ids. */
const selected = new Set();

export const shownOnes = () => shown;

export const visitorIn = (contact) => displayNameOf(contact) ?? say('visitor');

/** Spam is never unread. */
export const isUnread = ({ id, spamReason }) => spamReason === undefined && !hasRead(id);

/** Who has answered it, and when; an empty text if nobody has. */
export function answerOf({ answeredAt, answeredBy }) {
  if (!answeredAt) return '';
  return say(answeredBy ? 'answeredBy' : 'answeredAt', { name: answeredBy, time: sayTime(answeredAt) });
}

const isId = /^[\da-f-]{36}$/;

/** The id that the address of the page names. */
export const openedId = () => isId.exec(location.hash.slice(1))?.[0];

/** The next of those shown, or the one before. */
export function neighbour(id, step) {
  return shown[shown.findIndex((contact) => contact.id === id) + step];
}

export const focusedId = () => document.activeElement.closest('#list li')?.contact.id;

/** The link of a row, which comes into the page if it is further down. */
export function linkTo(id) {
  const index = shown.findIndex((contact) => contact.id === id);
  if (index >= room) {
    room = index + pageSize;
    render();
  }
  return rows.get(shown[index])?.querySelector('a');
}

/** As few rows as at the beginning. */
export function beginRows() {
  room = pageSize;
}

// Selecting

const maySelect = () => may('delete') || may('write');

export const selectedIds = () => shown.map(({ id }) => id).filter((id) => selected.has(id));

export function select(ids, isSelected) {
  for (const id of ids) isSelected ? selected.add(id) : selected.delete(id);
}

export function selectNone() {
  selected.clear();
}

onFailedDeletion((id) => selected.add(id));

ui.list.addEventListener('change', ({ target }) => {
  select([target.closest('li').contact.id], target.checked);
  render();
});

ui.selectAll.addEventListener('change', () => {
  select(
    shown.map(({ id }) => id),
    ui.selectAll.checked,
  );
  render();
});

// Rows

const rows = new WeakMap();
/** The day for which the rows say `Yesterday`. */
let dayOfRows;

/** What differs between the rows: not what a filter has chosen, nor the only site. */
const originOf = ({ form, campaign, site }) =>
  [
    chosenForm() ? undefined : form,
    ui.campaign.value ? undefined : campaign,
    ui.site.value || ui.site.options.length <= 2 ? undefined : site?.replace(/^https:\/\/(?:www\.)?/, ''),
  ].filter(Boolean);

/** A paper clip with the number of files. */
function clipFor(count) {
  const name = say('fileCount', { count });
  const clip = element('span', { className: 'clip', role: 'img', ariaLabel: name, title: name });
  clip.append(ui.clip.content.cloneNode(true), sayNumber(count));
  return clip;
}

function rowFor(contact) {
  const { files = [] } = contact;
  const visitor = visitorIn(contact);
  const excerpt = (excerptOf(contact) ?? '').slice(0, 200).toWellFormed();
  const name = say('select', { visitor, time: sayShortTime(listedAtOf(contact)) });
  const row = element(
    'li',
    { contact },
    element('input', { type: 'checkbox', ariaLabel: name }),
    element(
      'a',
      { href: `#${contact.id}` },
      element('b', {}, say('unread')),
      element('strong', { dir: 'auto' }, visitor),
      element('span', { dir: 'auto' }, excerpt),
      element('small', {}, ...(files.length > 0 ? [clipFor(files.length)] : []), element('i'), element('span')),
      shortTimeOf(listedAtOf(contact)),
    ),
  );
  rows.set(contact, row);
  return row;
}

function updateRow(row) {
  const { contact } = row;
  const [box, link] = row.children;
  const [unread, , , end] = link.children;
  const [answered, origin] = [...end.children].slice(-2);
  box.checked = selected.has(contact.id);
  box.hidden = !maySelect();
  link.ariaCurrent = contact.id === openedId() ? 'true' : null;
  unread.hidden = !isUnread(contact);
  link.classList.toggle('unread', isUnread(contact));
  answered.title = answerOf(contact);
  write(answered, answerOf(contact));
  const notes = [contact.spamReason && say(`spam ${contact.spamReason}`), ...originOf(contact)].filter(Boolean);
  if (origin.textContent === notes.join(' · ')) return;
  origin.replaceChildren(...notes.flatMap((note, at) => [at > 0 ? ' · ' : '', element('bdi', {}, note)]));
}

/** Makes the children of a part those wanted, and leaves the others where they are: one of them can have the focus. */
function arrange(part, wanted) {
  const isWanted = new Set(wanted);
  for (const child of [...part.children]) if (!isWanted.has(child)) child.remove();
  let next = part.firstElementChild;
  for (const child of wanted) {
    if (child === next) next = next.nextElementSibling;
    else part.insertBefore(child, next);
  }
}

const groups = new Map();

function groupFor(period) {
  const rowsOfPeriod = element('ul');
  const group = element('section', {}, element('h2', {}, period), rowsOfPeriod);
  groups.set(period, group);
  return group;
}

function renderRows() {
  const today = new Date().toDateString();
  const wanted = shown.slice(0, room);
  if (dayOfRows !== today) for (const contact of wanted) rows.delete(contact);
  dayOfRows = today;
  const byPeriod = Map.groupBy(wanted, (contact) => periodOf(listedAtOf(contact)));
  const wantedGroups = [...byPeriod].map(([period, contacts]) => {
    const group = groups.get(period) ?? groupFor(period);
    const wantedRows = contacts.map((contact) => rows.get(contact) ?? rowFor(contact));
    wantedRows.forEach(updateRow);
    arrange(group.lastElementChild, wantedRows);
    return group;
  });
  arrange(ui.list, wantedGroups);
}

onRender(() => {
  const words = searchedWords();
  const belongs = readPlace();
  loaded = loadedOnes().filter((contact) => !isDeleted(contact.id) && belongs(contact));
  shown = loaded.filter((contact) => isFound(contact, words));
  renderRows();

  const isAtLeast = hasOlder();
  const isFiltered = countActive() > 0;
  const isUnknown = loaded.length === 0 && hasOlder();
  const isEmpty = loaded.length === 0 && !hasOlder() && !isFiltered;
  const unread = shown.filter(isUnread).length;
  const found = say('found', { count: shown.length, isAtLeast });
  const unreadCount = say('unreadCount', { count: unread, isAtLeast });
  const summary = say(showsSpam() ? 'marked' : 'unreadOf', { count: shown.length, isAtLeast, unread: unreadCount });
  const sending = countSending();
  const progress = say(isForDownload() ? 'downloading' : 'searching', { count: loaded.length });
  write(ui.title, chosenForm() || say(showsSpam() ? 'spam' : 'inbox'));
  const hasSummary = !isUnknown && !isFiltered && !isEmpty;
  write(ui.summary, sending > 0 ? say('deleting', { count: sending }) : hasSummary ? summary : '');
  write(ui.found, isFiltered && !isUnknown && !isReading() ? found : '');
  write(ui.progress, isReading() ? progress : '');
  ui.stop.hidden = !isReading();
  ui.clear.hidden = !isFiltered;

  const reason = isFiltered ? 'nothing' : showsSpam() ? 'noSpam' : 'noContacts';
  write(ui.none, shown.length === 0 && !hasOlder() ? say(reason) : '');
  ui.begin.hidden = !isEmpty || showsSpam();
  const hasMore = (hasOlder() && (loaded.length > 0 || isPaused())) || shown.length > room;
  ui.older.hidden = !hasMore || isReading();

  const marked = selectedIds().length;
  ui.actions.hidden = shown.length === 0;
  ui.selectAll.parentElement.hidden = !maySelect();
  ui.selectAll.checked = marked > 0 && marked === shown.length;
  ui.selectAll.indeterminate = marked > 0 && marked < shown.length;
  label(ui.deleteSelected, may('delete') && marked > 0 ? say('deleteSelected', { count: marked }) : '');
  write(ui.selectedCount, marked > 0 ? sayNumber(marked) : '');
  ui.markAllRead.hidden = !shown.some(isUnread);
});

/** Puts more rows into the page. If all are there, reads older ones. */
function showMore() {
  const isAll = shown.length <= room;
  room += pageSize;
  resumeReading();
  if (isAll) attempt(readOlder);
  render();
}

ui.older.addEventListener('click', showMore);
ui.stop.addEventListener('click', stopReading);
new IntersectionObserver(
  ([{ isIntersecting }]) => isIntersecting && (shown.length > room || !isPaused()) && showMore(),
  { rootMargin: '600px' },
).observe(ui.older);
