// Deleting: it can be undone for some seconds, and then goes to the API, one after the other.

import { reasonOf, request } from './api.js';
import { takeOut } from './contacts.js';
import { announceForGood, baseUrl, render, ui } from './page.js';
import { onLeave, token } from './session.js';
import { say } from './texts.js';

/** By id: `waiting` for undo, `sending` or `done`. The list hides them all, even if a reading under way brings one back. */
const deletions = new Map();
/** Ids of what was spam when someone deleted it. Somebody else can release it meanwhile. */
const spamIds = new Set();
/** How many of the last deletions failed. */
let failed = 0;
/** Ends when all deletions so far have been sent. */
let sent = Promise.resolve();
/** Gets the ids of deletions that failed. */
let showFailed = () => {};

export const isDeleted = (id) => deletions.has(id);

const idsThat = (...states) => [...deletions.keys()].filter((id) => states.includes(deletions.get(id)));

export const idsToUndo = () => idsThat('waiting');

export const countSending = () => idsThat('sending').length;

/** Registers what shows deletions that failed. */
export function onFailedDeletion(show) {
  showFailed = show;
}

/** Hides contact requests, and deletes them when nobody can undo it any more. */
export function deleteLater(contacts) {
  for (const { id, spamReason } of contacts) {
    deletions.set(id, 'waiting');
    if (spamReason) spamIds.add(id);
  }
  failed = 0;
}

/** Sends what waits. @returns when everything is sent */
export function commit() {
  const ids = idsThat('waiting');
  for (const id of ids) deletions.set(id, 'sending');
  render();
  sent = sent.then(() => sendDeletions(ids));
  return sent;
}

/** Sends deletions. One that fails comes back to the list. */
async function sendDeletions(ids) {
  let error;
  for (const id of ids) {
    // After any other error, such as no connection, the rest would fail too.
    if (!error || error.status === 500 || error.isReleased) error = await errorOfDeleting(id);
    if (error) {
      failed += 1;
      deletions.delete(id);
      showFailed(id);
      announceForGood(`${say('notDeleted', { count: failed })} ${await reasonOf(error)}`);
    } else {
      forgetOne(id);
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

export function forgetOne(id) {
  deletions.set(id, 'done');
  takeOut(id);
}

/** @returns the ids that come back */
export function undoDeletions() {
  const ids = idsThat('waiting');
  for (const id of ids) deletions.delete(id);
  return ids;
}

/** Other windows of this browser hear what this one has deleted. */
const windows = new BroadcastChannel(baseUrl.replace(/\/$/, ''));

export const onDeletedElsewhere = (hear) => windows.addEventListener('message', ({ data }) => hear(data));

onLeave(() => failed + idsThat('waiting', 'sending').length);

let linkFollowed = -Infinity;
// A link to another program or to a file does not leave the page, but the browser asks as if it did.
ui.opened.addEventListener('click', ({ target, timeStamp }) => {
  if (target.closest('[href^="mailto:"], [href^="tel:"], [download]')) linkFollowed = timeStamp;
});
addEventListener('beforeunload', (event) => {
  const isLeaving = event.timeStamp - linkFollowed > 1_000;
  if (isLeaving && token() && idsThat('waiting', 'sending').length > 0) event.preventDefault();
});
