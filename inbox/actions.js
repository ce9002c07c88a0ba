// What one does with contact requests: delete them, and mark them as read or unread.

import { may } from './api.js';
import { loadedOne } from './contacts.js';
import { deleteLater, undoDeletions } from './deletions.js';
import { close, openedOne } from './detail.js';
import { isSpam } from './filters.js';
import { focusedId, isUnread, linkTo, neighbour, select, selectedIds, shownOnes } from './list.js';
import { markRead, markUnread, readAgain } from './memory.js';
import { announce, focusOn, onRender, render, ui } from './page.js';
import { checkSignIn } from './session.js';
import { say } from './texts.js';

/** To delete more than so many, or to mark them as read, needs a confirmation. */
const many = 20;

const isSure = (count, question) => count <= many || confirm(say(question, { count }));

/** What an action is about: the opened one; in the list, those selected or the one in focus. */
export function currentIds() {
  const focused = focusedId();
  const opened = openedOne();
  if (opened && !focused) return [opened.id];
  const ids = selectedIds();
  return ids.length === 0 && focused ? [focused] : ids;
}

export function remove(ids) {
  if (ids.length === 0 || !may('delete') || !isSure(ids.length, 'sureToDelete')) return;
  announce('');
  const after = neighbour(ids.at(-1), 1) ?? neighbour(ids[0], -1);
  const opened = openedOne();
  select(ids, false);
  deleteLater(ids.map((id) => loadedOne(id) ?? opened));
  if (ids.includes(opened?.id)) close();
  render();
  // Without keys, Undo would be far away.
  focusOn(ui.shortcuts.checked ? linkTo(after?.id) : ui.undo);
}

export function putBack() {
  const ids = undoDeletions();
  if (ids.length === 0) return;
  render();
  announce(say('broughtBack'));
  focusOn(linkTo(ids[0]));
}

export function setUnread(ids) {
  markUnread(ids);
  render();
  if (ids.includes(openedOne()?.id)) close();
}

ui.delete.addEventListener('click', () => remove([openedOne().id]));
ui.deleteSelected.addEventListener('click', () => remove(selectedIds()));
ui.undo.addEventListener('click', putBack);
ui.markUnread.addEventListener('click', () => setUnread([openedOne().id]));
ui.markAllRead.addEventListener('click', () => {
  const ids = shownOnes()
    .filter(isUnread)
    .map(({ id }) => id);
  ui.menuPanel.hidePopover();
  if (!isSure(ids.length, 'sureToMarkRead')) return;
  markRead(ids);
  render();
});

onRender(() => {
  ui.delete.hidden = !may('delete');
  ui.markUnread.hidden = isSpam();
});

// Another window of this browser has read something, or signed out.
addEventListener('storage', () => {
  readAgain();
  if (checkSignIn()) render();
});
