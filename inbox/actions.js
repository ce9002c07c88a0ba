// What one does with contact requests: delete them, and mark them as read or unread.

import { may } from './api.js';
import { loadedOne } from './contacts.js';
import { commit, deleteLater, idsToUndo, isDeleted, undoDeletions } from './deletions.js';
import { close, openedOne } from './detail.js';
import { readPlace } from './filters.js';
import { focusedId, isUnread, linkTo, neighbour, select, selectedIds, shownOnes } from './list.js';
import { markRead, markUnread } from './memory.js';
import { announce, focusOn, onRender, render, ui } from './page.js';
import { say } from './texts.js';
import { offerUndo } from './undo.js';

/** To change more than so many needs a confirmation. */
const many = 20;

export const isSure = (count, question) => count <= many || confirm(say(question, { count }));

/** What an action is about: the opened one; in the list, those selected or the one in focus. */
export function currentIds() {
  const focused = focusedId();
  const opened = openedOne();
  if (opened && !focused) return [opened.id];
  const ids = selectedIds();
  return ids.length === 0 && focused ? [focused] : ids;
}

export const contactOf = (id) => loadedOne(id) ?? openedOne();

const isInPlace = (id) => !isDeleted(id) && readPlace()(contactOf(id));

/**
 * Does something that can take these out of the list. Then the next one gets the focus, or Undo: without keys, it would be far
 * away. Otherwise the focus stays.
 */
export function act(ids, change) {
  const after = neighbour(ids.at(-1), 1) ?? neighbour(ids[0], -1);
  const before = new Set(ids.filter(isInPlace));
  change();
  const left = ids.filter((id) => isDeleted(id) || (before.has(id) && !isInPlace(id)));
  select(left, false);
  if (left.includes(openedOne()?.id)) close();
  render();
  if (left.length > 0) focusOn(ui.shortcuts.checked ? linkTo(after?.id) : ui.undo);
}

const deletion = {
  text: () => say('deleted', { count: idsToUndo().length }),
  undo: () => {
    const ids = undoDeletions();
    render();
    announce(say('broughtBack'));
    focusOn(linkTo(ids[0]));
  },
  end: commit,
};

export function remove(ids) {
  if (ids.length === 0 || !may('delete') || !isSure(ids.length, 'sureToDelete')) return;
  announce('');
  act(ids, () => {
    deleteLater(ids.map(contactOf));
    offerUndo(deletion);
  });
}

export function setUnread(ids) {
  markUnread(ids);
  render();
  if (ids.includes(openedOne()?.id)) close();
}

ui.delete.addEventListener('click', () => remove([openedOne().id]));
ui.deleteSelected.addEventListener('click', () => remove(selectedIds()));
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
  ui.markUnread.hidden = openedOne()?.spamReason !== undefined;
});
