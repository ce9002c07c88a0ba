// Keys for people who do not want to reach for the mouse.

import { currentIds, remove, setUnread } from './actions.js';
import { isLoaded } from './contacts.js';
import { close, openedOne, openNeighbour } from './detail.js';
import { focusedId, linkTo, neighbour, openedId, shownOnes } from './list.js';
import { ui } from './page.js';
import { toggleAnswered, toggleSpam } from './triage.js';
import { undo } from './undo.js';

function move(step) {
  // Of two keys in quick succession, the second comes before the first has opened one.
  const current = isLoaded(openedId()) ? openedId() : focusedId();
  if (openedOne() && current) return openNeighbour(step);
  const found = current ? neighbour(current, step) : shownOnes()[0];
  if (found) linkTo(found.id).focus();
}

const keys = {
  j: () => move(1),
  k: () => move(-1),
  '#': () => remove(currentIds()),
  u: undo,
  U: () => setUnread(currentIds()),
  a: () => toggleAnswered(currentIds()),
  '!': () => toggleSpam(currentIds()),
  '/': () => ui.text.focus(),
  '?': () => ui.help.showModal(),
  Escape: () => openedOne() && close(),
};

document.addEventListener('keydown', (event) => {
  // With Alt, some keyboards write `#`.
  if ((event.ctrlKey && !event.altKey) || event.metaKey || event.isComposing || !ui.shortcuts.checked) return;
  if (ui.app.hidden || event.target.closest('input:not([type="checkbox"]), select, dialog')) return;
  // Escape closes what is open, even from its button.
  if (document.querySelector(':popover-open')) return;
  if (!Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});
