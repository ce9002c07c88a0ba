// Where to go: the inbox, each form and spam, with what is new there. A sidebar, or on a narrow screen a part of the menu.

import { nextPage, request } from './api.js';
import { hasOlder, loadedOnes, pageSize } from './contacts.js';
import { chosenForm, hasOnlyForm, isSpam, showPlace, valuesOf } from './filters.js';
import { unreadOnes } from './list.js';
import { recall, remember } from './memory.js';
import { element, onRender, ui } from './page.js';
import { say, sayNumber } from './texts.js';

const spamInterval = 600_000;
/** More forms than these are among the filters. */
const maxForms = 12;

/** By form, and of all under an empty text: how many were unread when a list with all of them was loaded. */
const unread = new Map();
/** How many were marked as spam since someone looked at spam in this browser. */
let newSpam;
let spamTime = -Infinity;

/** Counts the spam that is newer than what this browser has shown, or remembers what it shows. */
export async function countSpam() {
  const seen = recall('spam');
  if (isSpam()) {
    const [newest] = loadedOnes();
    newSpam = undefined;
    if (newest && !(seen > newest.createdAt)) remember('spam', newest.createdAt);
  } else if (performance.now() - spamTime > spamInterval) {
    const since = seen && { since: new Date(Date.parse(seen) + 1).toISOString() };
    const path = `/api/v1/contact?${new URLSearchParams({ spam: true, limit: pageSize, ...since })}`;
    const response = await request(path);
    const { length } = await response.json();
    newSpam = length > 0 ? { count: length, isAtLeast: nextPage(response, path) !== undefined } : undefined;
    spamTime = performance.now();
  }
}

function countUnread() {
  if (isSpam() || !hasOnlyForm()) return;
  const ones = unreadOnes();
  const counts = Map.groupBy(ones, ({ form = '' }) => form);
  const counted = chosenForm() ? [chosenForm()] : [...unread.keys(), ...counts.keys()];
  for (const form of counted) if (form) unread.set(form, counts.get(form)?.length ?? 0);
  if (!chosenForm()) unread.set('', ones.length);
}

function placeFor({ text, show, form, count }) {
  const isCurrent = (show === 'spam') === isSpam() && form === chosenForm();
  const button = element(
    'button',
    { type: 'button', ariaCurrent: isCurrent ? 'page' : null, onclick: () => showPlace(show, form) },
    element('span', { dir: 'auto' }, text),
    ' ',
    element('small', {}, count),
  );
  return element('li', {}, button);
}

/** Those of the inbox: the spam has others. */
let forms = [];
let drawn = '';

onRender(() => {
  countUnread();
  const countOf = (form) => (unread.get(form) > 0 ? sayNumber(unread.get(form), hasOlder()) : '');
  if (!isSpam()) forms = valuesOf(ui.form).slice(0, maxForms).sort();
  const places = [
    { text: say('inbox'), show: 'inbox', form: '', count: countOf('') },
    ...(forms.length > 1 || chosenForm() ? forms : []).map((form) => ({
      text: form,
      show: 'inbox',
      form,
      count: countOf(form),
    })),
    { text: say('spam'), show: 'spam', form: '', count: newSpam ? say('newSpam', newSpam) : '' },
  ];
  const state = JSON.stringify([places, isSpam(), chosenForm()]);
  if (state !== drawn) {
    const focused = [...ui.placeList.children].findIndex((place) => place.contains(document.activeElement));
    ui.placeList.replaceChildren(...places.map(placeFor));
    ui.placeList.children[focused]?.firstElementChild.focus();
    drawn = state;
  }
  const count = unreadOnes().length;
  const title = say(isSpam() ? 'spam' : 'inbox');
  document.title = count > 0 && !isSpam() ? `(${sayNumber(count, hasOlder())}) ${title}` : title;
});
