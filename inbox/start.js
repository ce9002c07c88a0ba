// The inbox: a client of the API, like any staff script. index.html has the base URL of the API. This file signs in, and keeps the
// list as new as the API has it.

import './actions.js';
import './triage.js';
import './files.js';
import './menu.js';
import './keys.js';
import { attempt, knowsPermissions, may, readPermissions } from './api.js';
import { countSpamOfChart } from './chart.js';
import { beginList, hasOlder, isOutdated, readNewer, readOlder, resumeReading, waitForCampaigns } from './contacts.js';
import { isDeleted } from './deletions.js';
import { openNamed } from './detail.js';
import { countActive, keepFilters, onFilter, readCampaigns, restoreFilters } from './filters.js';
import { beginRows, selectNone } from './list.js';
import { readAgain } from './memory.js';
import { announce, baseUrl, focusOn, render, ui } from './page.js';
import { countSpam } from './places.js';
import { checkSignIn, isLocal, keepToken, keptToken, leave, takeLocalToken, token, useToken } from './session.js';
import { say, writeTexts } from './texts.js';

const refreshInterval = 45_000;
const changesInterval = 600_000;

let refreshTimer;
/** When the page last read what other staff have changed. */
let changesRead = -Infinity;

async function refresh() {
  clearTimeout(refreshTimer);
  if (!checkSignIn()) return;
  await attempt(async () => {
    if (!knowsPermissions()) {
      await readPermissions();
      // A restored filter did not know the campaign's id.
      waitForCampaigns(readCampaigns().then(applyFilters, () => {}));
      openNamed();
    }
    const isForChanges = may('triage') && performance.now() - changesRead > changesInterval;
    await readNewer(isDeleted, isForChanges);
    if (isForChanges) changesRead = performance.now();
    await countSpam();
    render();
    countSpamOfChart();
  });
  // Another refresh can have set the timer meanwhile.
  clearTimeout(refreshTimer);
  refreshTimer = setTimeout(refresh, refreshInterval);
}

/** Reads the list from its beginning. */
function reload() {
  selectNone();
  beginList();
  render();
  refresh();
}

/** Filters anew. What the API filters, it has to list anew. */
function applyFilters() {
  keepFilters();
  beginRows();
  resumeReading();
  if (isOutdated()) return reload();
  if (hasOlder() && countActive() > 0) attempt(readOlder);
  render();
}

onFilter(applyFilters);

ui.signIn.addEventListener('submit', (event) => {
  event.preventDefault();
  keepToken(ui.token.value.trim(), ui.keep.checked);
  ui.token.value = '';
  start();
  focusOn(ui.requests);
});

addEventListener('hashchange', () => {
  if (takeLocalToken()) location.reload();
  else if (token()) {
    announce('');
    openNamed();
  }
});

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'visible') return;
  changesRead = -Infinity;
  refresh();
});
addEventListener('online', refresh);
// Another window of this browser has read something, or signed out.
addEventListener('storage', () => {
  readAgain();
  if (checkSignIn()) render();
});
// Going back can bring back a page as it was before signing out, even its sessionStorage.
addEventListener('pagehide', () => ui.app.remove());
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  if (keptToken()) location.reload();
  else leave(say('left'));
});

function start() {
  const isSignedIn = useToken();
  ui.signInReason.textContent = sessionStorage.getItem('reason') ?? '';
  ui.starting.hidden = true;
  ui.signIn.hidden = isSignedIn;
  ui.app.hidden = !isSignedIn;
  ui.keep.parentElement.hidden = isLocal(location.hostname);
  ui.example.hidden = !isLocal(new URL(baseUrl).hostname);
  if (!isSignedIn) return ui.token.focus();
  restoreFilters();
  reload();
}

writeTexts();
start();
