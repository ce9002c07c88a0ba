// The files of an opened contact request: what they are, whether a scan found anything, and the way to get them.

import { reasonOf } from './api.js';
import { filesOf, readOne } from './contacts.js';
import { openedOne, takeAway } from './detail.js';
import {
  announce,
  announceBusy,
  announceForGood,
  element,
  endWaiting,
  focusOn,
  onRender,
  render,
  ui,
  write,
} from './page.js';
import { locale, say } from './texts.js';

const sizeIn = (unit, unitDisplay, maximumFractionDigits) =>
  new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay, maximumFractionDigits });

const bytes = sizeIn('byte', 'long', 0);
const kilobytes = sizeIn('kilobyte', 'short', 0);
const megabytes = sizeIn('megabyte', 'short', 1);

/** `812 bytes`, `340 kB`, `1.2 MB` */
function saySize(size) {
  if (size < 1_000) return bytes.format(size);
  return size < 999_500 ? kilobytes.format(size / 1_000) : megabytes.format(size / 1_000_000);
}

/** What media types are, by a part of their names. What is not here, such as `application/pdf`, has a short name of its own. */
const kinds = [
  ['text/plain', 'text'],
  ['spreadsheet', 'table'],
  ['excel', 'table'],
  ['presentation', 'slides'],
  ['powerpoint', 'slides'],
  ['word', 'document'],
  ['opendocument', 'document'],
];

function sayType(type) {
  const [, kind] = kinds.find(([part]) => type.includes(part)) ?? [];
  if (kind) return say(`type ${kind}`);
  const [, name] = /^(?:application|image)\/(\w{2,5})$/.exec(type) ?? [];
  return name === 'webp' ? 'WebP' : name?.toUpperCase();
}

/** What to say of a file. Nothing, if all is well, or if the API has not said its state yet. */
function noteOf({ state, url }) {
  if (state === undefined || state === 'infected' || state === 'pending') return state;
  if (!url) return 'unavailable';
  return state === 'clean' ? undefined : 'unknown';
}

/** Whether to offer a file. Before the API has said its state, pressing the button finds out. */
const isOffered = ({ state, url }) => state === undefined || (state !== 'infected' && url !== undefined);

/** Reads the files anew: scans end, and URLs are valid for five minutes. @returns none if that fails, and the page says why */
async function ask() {
  const { id } = openedOne();
  announceBusy(say('loading'));
  try {
    const files = filesOf(await readOne(id));
    endWaiting();
    const { activeElement } = document;
    render();
    if (!activeElement.checkVisibility()) focusOn(ui.filesTitle);
    return files;
  } catch (error) {
    if (error.status === 404) takeAway(id);
    else if (error.status !== 401) announceForGood(await reasonOf(error));
    return [];
  }
}

/** Gets a file. Its response is an attachment, so the page stays. */
async function download(at, button) {
  const file = (await ask())[at];
  if (!file) return;
  const { name, url } = file;
  if (!isOffered(file) || !url) return announce(`${name}: ${say(`file ${noteOf(file) ?? 'unavailable'}`)}`);
  const link = element('a', { href: url, download: name, hidden: true });
  button.after(link);
  link.click();
  link.remove();
}

/** Runs an action when a button is pressed, unless it runs already: who presses twice wants one file. */
function onPress(button, action) {
  let isRunning = false;
  button.addEventListener('click', async () => {
    if (isRunning) return;
    isRunning = true;
    await action();
    isRunning = false;
  });
}

function rowFor({ name, type, size }, at) {
  const button = element('button', { type: 'button', ariaLabel: say('getOf', { value: name }) }, say('get'));
  onPress(button, () => download(at, button));
  const about = [sayType(type), saySize(size)].filter(Boolean).join(' · ');
  return element(
    'li',
    {},
    element('b', { dir: 'auto' }, name),
    element('p', {}, element('small', {}, about), ' ', element('em')),
    button,
  );
}

function updateRow(row, file) {
  const [, { lastElementChild: note }, button] = row.children;
  note.className = noteOf(file) ?? '';
  write(note, noteOf(file) ? say(`file ${noteOf(file)}`) : '');
  button.hidden = !isOffered(file);
}

onPress(ui.askAgain, async () => {
  const files = await ask();
  if (files.some(({ state }) => state === 'pending')) announce(say('aboutPending'));
});

/** The files that have rows. */
let drawn;

onRender(() => {
  const contact = openedOne();
  const files = contact ? filesOf(contact) : [];
  const state = JSON.stringify([contact?.id, files.map(({ name, type, size }) => [name, type, size])]);
  if (state !== drawn) ui.fileList.replaceChildren(...files.map(rowFor));
  drawn = state;
  for (const [at, file] of files.entries()) updateRow(ui.fileList.children[at], file);
  const notes = files.map(noteOf);
  ui.files.hidden = files.length === 0;
  ui.aboutInfected.hidden = !notes.includes('infected');
  ui.aboutPending.hidden = !notes.includes('pending');
  ui.aboutUnknown.hidden = !notes.includes('unknown');
});
