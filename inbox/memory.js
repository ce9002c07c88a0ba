// What this browser remembers, for each API: all pages of an origin share it.

import { baseUrl } from './page.js';

const keyOf = (name) => `${name} ${baseUrl.replace(/\/$/, '')}`;

export const recall = (name) => JSON.parse(localStorage.getItem(keyOf(name)));

export function remember(name, value) {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(value));
  } catch {} // It is full: what is new lasts as long as the page.
}

export const forget = (name) => localStorage.removeItem(keyOf(name));

// What was read in this browser. Ids only: the next user of this browser learns nothing from them.

const maxRead = 20_000;

let read = new Set(recall('read'));

export const hasRead = (id) => read.has(id);

function rememberRead(ids) {
  read = new Set(ids.slice(-maxRead));
  remember('read', [...read]);
}

export const markRead = (ids) => rememberRead([...read, ...ids]);

export const markUnread = (ids) => rememberRead([...read].filter((id) => !ids.includes(id)));

/** Another window of this browser has read something. */
export function readAgain() {
  read = new Set(recall('read'));
}
