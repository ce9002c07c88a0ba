// Who uses the page: the token, and how long this browser keeps it.

import { forget, recall, remember } from './memory.js';
import { baseUrl, ui } from './page.js';
import { say } from './texts.js';

const signInTime = 30 * 86_400_000;

let signedIn;

export const token = () => signedIn;

export const isLocal = (hostname) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** On this machine, `npm start` prints a link with the token. Elsewhere a token in a link would leak. @returns whether there is one */
export function takeLocalToken() {
  if (!location.hash.startsWith('#token=')) return false;
  if (isLocal(location.hostname)) sessionStorage.setItem('token', location.hash.slice('#token='.length));
  history.replaceState(null, '', location.pathname);
  return true;
}

/** The token of someone who stays signed in on this device. */
export function keptToken() {
  const { token, until } = recall('signIn') ?? {};
  const left = until - Date.now();
  if (left > 0 && left <= signInTime) return token;
  forget('signIn');
}

export function keepToken(given, isForDays) {
  if (isForDays) remember('signIn', { token: given, until: Date.now() + signInTime });
  else sessionStorage.setItem('token', given);
}

export function useToken() {
  takeLocalToken();
  signedIn = sessionStorage.getItem('token') ?? keptToken();
  return signedIn !== undefined;
}

export function forgetToken() {
  sessionStorage.clear();
  forget('signIn');
}

const losses = [];

/** Registers what counts the deletions that would be lost. */
export const onLeave = (countLost) => losses.push(countLost);

/** Forgets the token and all data: loading the page again leaves nothing in memory. The address can still name one to open. */
export function leave(reason = '') {
  const count = losses.reduce((sum, countLost) => sum + countLost(), 0);
  signedIn = undefined;
  forgetToken();
  sessionStorage.setItem('reason', count > 0 ? `${reason} ${say('notDeleted', { count })}` : reason);
  location.reload();
}

/** Another window can have signed out, and the days of a sign-in end. @returns whether the page may go on */
export function checkSignIn() {
  if (ui.app.hidden || [sessionStorage.getItem('token'), keptToken()].includes(signedIn)) return !ui.app.hidden;
  leave(say('signedOut'));
}

/** A stage's URL ends with the name of the environment; a custom domain does not tell. */
export function environmentOption() {
  const { hostname, pathname } = new URL(baseUrl);
  return isLocal(hostname) ? '' : ` --env ${pathname.replaceAll('/', '') || '…'}`;
}
