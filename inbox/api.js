// Asking the API, as any staff script does.

import { recall, remember } from './memory.js';
import { announce, announceBusy, baseUrl, showProblem } from './page.js';
import { leave, token } from './session.js';
import { say } from './texts.js';

const requestTime = 60_000;

const base = baseUrl.replace(/\/$/, '');

/** Whether the API has responded to this page. */
let hasAnswered = false;

/** Sends a request with the token, again later if the API is busy. @throws with the status, if there is a response */
export async function request(path, options = {}, retries = 3) {
  const { method = 'GET', signal, body } = options;
  const response = await fetch(base + path, {
    method,
    headers: {
      Authentication: token(),
      Accept: 'application/json',
      ...(body && { 'Content-Type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
    signal: AbortSignal.any([AbortSignal.timeout(requestTime), ...(signal ? [signal] : [])]),
  });
  if (response.ok) {
    hasAnswered = true;
    return response;
  }
  if ([429, 503].includes(response.status) && retries > 0) {
    const seconds = Number(response.headers.get('Retry-After')) || 1;
    announceBusy(say('busyWait', { count: seconds }));
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    announce('');
    return request(path, options, retries - 1);
  }
  if (response.status === 401 && token()) leave(say('unknownToken'));
  const details = (await response.json().catch(() => undefined))?.details;
  throw Object.assign(new Error(response.statusText), { status: response.status, details: [details ?? []].flat() });
}

/** The path of the next page. Only the query of the link counts: the token goes to the base URL alone. */
export function nextPage(response, path) {
  const link = /<([^>]*)>; *rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  return link && path.replace(/\?.*|$/, new URL(link, base).search);
}

/** What went wrong, and what to do. */
export async function reasonOf(error) {
  const { status, details, isReleased } = error;
  if (isReleased) return say('releasedMeanwhile');
  if (status === 403) return say('forbidden');
  if (status === 429) return say('busy');
  if (status < 500) return [say('refused', { status }), ...details.map(({ message }) => message)].join(' ');
  if (status >= 500) return say('apiError', { status });
  if (error instanceof SyntaxError) return say('notFromApi');
  if (!baseUrl.endsWith('/')) return say('noSlash');
  // If CORS forbids the page to read a response, fetch fails as if there were none.
  const probe = () => fetch(`${base}/api/v1/contact`, { mode: 'no-cors', signal: AbortSignal.timeout(10_000) });
  if (!hasAnswered && (await probe().catch(() => undefined))) return say('foreignOrigin', { base, origin });
  return say('unreachable', { base });
}

/** Runs something that asks the API. If that fails, says why, and offers to try again. */
export async function attempt(action) {
  try {
    await action();
  } catch (error) {
    if (error.name === 'AbortError' || error.status === 401) return;
    showProblem(await reasonOf(error), () => attempt(action));
  }
}

/** What the token allows, once the API has said it. */
let permissions;

export const may = (action) => permissions?.[action] === true;

export const knowsPermissions = () => permissions !== undefined;

/** Whether the API refuses something to this token. @throws if it does not say */
async function isAllowed(path, method) {
  try {
    await request(path, { method });
  } catch (error) {
    if (error.status === 403) return false;
    if (error.status !== 404) throw error;
  }
  return true;
}

/** An operator can turn triage on. */
const triageTime = 86_400_000;

/** Whether staff mark things together here, and whether this token may: an API without triage does not know the parameter. */
async function askForTriage() {
  try {
    await request('/api/v1/contact?limit=1&answered=true');
  } catch (error) {
    if (error.status !== 400) throw error;
    return { triage: false, write: false };
  }
  return { triage: true, write: await isAllowed('/api/v1/contact/-', 'PATCH') };
}

async function askForRights() {
  // Nothing has the id `-`.
  const asked = [isAllowed('/api/v1/contact/-', 'DELETE'), isAllowed('/v1/campaigns/-', 'GET')];
  const [mayDelete, campaigns] = await Promise.all(asked);
  return { delete: mayDelete, campaigns };
}

/** Asks once for each token, since each refusal counts for an alarm. Its hash tells nobody the token. */
export async function readPermissions() {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token()));
  const name = `may ${new Uint8Array(hash)}`;
  const known = recall(name);
  const isRecent = Date.now() - known?.asked < triageTime;
  const [rights, triage] = await Promise.all([known ?? askForRights(), isRecent ? {} : askForTriage()]);
  permissions = { ...rights, ...triage, asked: isRecent ? known.asked : Date.now() };
  remember(name, permissions);
}
