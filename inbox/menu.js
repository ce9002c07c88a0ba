// The line on top: the filters, and the menu with the download, help, the language and the way out.

import { attempt } from './api.js';
import { readAll } from './contacts.js';
import { csvOf, separatorIn } from './csv.js';
import { commit } from './deletions.js';
import { clearFilters, countHidden } from './filters.js';
import { linkTo, shownOnes } from './list.js';
import { recall, remember } from './memory.js';
import { announce, element, focusOn, onRender, ui, write } from './page.js';
import { forgetToken, leave } from './session.js';
import { chooseLanguage, language, languages, say, sayNumber } from './texts.js';

// On a wide screen, the places stand beside the list.
const wide = matchMedia('(width >= 68.75rem)');
const placePlaces = () => (wide.matches ? ui.sidebar : ui.menuPanel).prepend(ui.places);
wide.addEventListener('change', placePlaces);
placePlaces();

ui.filters.addEventListener('submit', (event) => {
  event.preventDefault();
  ui.filterPanel.hidePopover();
  focusOn(linkTo(shownOnes()[0]?.id) ?? ui.text);
});
ui.clear.addEventListener('click', clearFilters);
ui.places.addEventListener('click', () => ui.menuPanel.hidePopover());

onRender(() => {
  const count = countHidden();
  write(ui.filterCount, count > 0 ? sayNumber(count) : '');
  ui.showFilters.ariaLabel = count > 0 ? say('filtersActive', { count }) : say('filters');
});

async function download() {
  ui.menuPanel.hidePopover();
  if (!(await readAll())) return announce(say('notSaved'));
  const href = URL.createObjectURL(new Blob(csvOf(shownOnes(), separatorIn()), { type: 'text/csv' }));
  element('a', { href, download: 'contact-requests.csv' }).click();
  URL.revokeObjectURL(href);
  announce(say('saved'));
}

ui.download.addEventListener('click', () => attempt(download));

ui.language.append(
  ...Object.entries(languages).map(([code, name]) => new Option(name, code, false, code === language)),
);
ui.language.addEventListener('change', () => {
  chooseLanguage(ui.language.value);
  location.reload();
});

ui.showHelp.addEventListener('click', () => {
  ui.menuPanel.hidePopover();
  ui.help.showModal();
});
ui.shortcuts.checked = recall('keys') ?? true;
ui.shortcuts.addEventListener('change', () => remember('keys', ui.shortcuts.checked));

ui.signOut.addEventListener('click', async () => {
  ui.app.hidden = true;
  ui.starting.hidden = false;
  ui.starting.textContent = say('signingOut');
  forgetToken();
  await commit();
  history.replaceState(null, '', location.pathname);
  leave();
});
