// Where to go: the inbox, each form and spam, with what is new there. A sidebar, or on a narrow screen a part of the menu.

import { nextPage, request } from './api.js';
import { hasOlder, loadedOnes, pageSize } from './contacts.js';
import { isDeleted } from './deletions.js';
import { chosenForm, hasOnlyForm, showPlace, showsSpam, valuesOf } from './filters.js';
import { isUnread } from './list.js';
import { recall, remember } from './memory.js';
import { element, onRender, ui } from './page.js';
import { say, sayNumber } from './texts.js';

const spamInterval = 600_000;
/** More forms than these are among the filters. */
const maxForms = 12;

/** The contact requests of the last list that nothing narrowed but a form: other filters hide them, and all the same they count. */
let known = [];
/** By form, and of all under an empty text: whether there are more than those known. */
let hasMore = new Map();
/** How many were marked as spam since someone looked at spam in this browser. */
let newSpam;
let spamTime = -Infinity;

/** Counts the spam that is newer than what this browser has shown, or remembers what it shows. */
export async function countSpam() {
  const seen = recall('spam');
  if (showsSpam()) {
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

function noteKnown() {
  const loaded = loadedOnes();
  if (showsSpam() || !hasOnlyForm() || (loaded.length === 0 && hasOlder())) return;
  const form = chosenForm();
  if (!form) hasMore = new Map();
  hasMore.set(form, hasOlder());
  known = [...(form ? known.filter((contact) => contact.form !== form) : []), ...loaded];
}

/** How many are unread, by form, and of all under an empty text. */
function countUnread() {
  const unread = known.filter((contact) => isUnread(contact) && !isDeleted(contact.id));
  const counts = new Map([['', unread.length]]);
  for (const { form } of unread) if (form) counts.set(form, (counts.get(form) ?? 0) + 1);
  return counts;
}

function placeFor({ text, show, form, count }) {
  const isCurrent = (show === 'spam') === showsSpam() && form === chosenForm();
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
  noteKnown();
  const unread = countUnread();
  const countOf = (form) => {
    const isAtLeast = hasMore.get(form) ?? hasMore.get('');
    return isAtLeast !== undefined && unread.get(form) > 0 ? sayNumber(unread.get(form), isAtLeast) : '';
  };
  if (!showsSpam()) forms = valuesOf(ui.form).slice(0, maxForms).sort();
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
  const state = JSON.stringify([places, showsSpam(), chosenForm()]);
  if (state !== drawn) {
    const focused = [...ui.placeList.children].findIndex((place) => place.contains(document.activeElement));
    ui.placeList.replaceChildren(...places.map(placeFor));
    ui.placeList.children[focused]?.firstElementChild.focus();
    drawn = state;
  }
  const title = say(showsSpam() ? 'spam' : 'inbox');
  document.title = countOf('') && !showsSpam() ? `(${countOf('')}) ${title}` : title;
});
