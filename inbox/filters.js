// The filters: what they hold, what they offer, and the list that they ask the API for.

import { may, nextPage, request } from './api.js';
import { element, ui } from './page.js';

/** A filter offers so many values, the most frequent. With the 10,000 of a flood, the page would freeze. */
const maxChoices = 100;

const choices = [ui.site, ui.form, ui.campaign];
const filters = [ui.text, ui.show, ui.from, ui.to, ...choices];

export const showsSpam = () => ui.show.value === 'spam';

/** Whether to show only those that are answered, or that are not; nothing for all of them. */
const answeredFilter = () => ({ answered: true, notAnswered: false })[ui.show.value];

/** What tells whether a contact request is in the list that the page shows: somebody can have changed it since it was read. */
export function readPlace() {
  const isSpam = showsSpam();
  const isAnswered = answeredFilter();
  return ({ spamReason, answeredAt }) =>
    (spamReason !== undefined) === isSpam && (isAnswered ?? answeredAt !== undefined) === (answeredAt !== undefined);
}

/** The words to search for. */
export const searchText = () => ui.text.value.trim();

/** The form whose contact requests are shown, or an empty text. */
export const chosenForm = () => ui.form.value;

const isActive = (filter) => (filter === ui.show ? answeredFilter() !== undefined : filter.value.trim() !== '');

export const countActive = () => filters.filter(isActive).length;

/** Those behind the button *Filters*, which do not stand on the page. */
export const countHidden = () => filters.filter((filter) => filter !== ui.text && isActive(filter)).length;

/** Whether only the form and the search narrow the list. */
export const hasOnlyForm = () => countHidden() === (chosenForm() ? 1 : 0);

/** Calls back when what the filters hold is to be shown. */
export const onFilter = (apply) =>
  // While someone types the year 2026, it is 2, 20 and 202.
  ui.filters.addEventListener('input', ({ target }) => target.validity?.valid !== false && apply());

function change(values) {
  for (const [filter, value] of values) filter.value = value;
  ui.filters.dispatchEvent(new Event('input'));
}

const emptied = (show) => filters.map((filter) => [filter, filter === ui.show ? show : '']);

export const clearFilters = () => change(emptied(showsSpam() ? 'spam' : 'inbox'));

/** Shows contact requests or spam, and of these the ones of a form, or all. The dates stay, so that one can compare, but in the inbox. */
export function showPlace(show, form) {
  const { from, to } = ui;
  const dates = form || show === 'spam' ? [from, to].map((date) => [date, date.value]) : [];
  offer(ui.form, [form]);
  change([...emptied(show), ...dates, [ui.form, form]]);
}

/** Shows what came on some days. @param from - as an input has it: 2026-01-31 */
export const showDays = (from, to) =>
  change([
    [ui.from, from],
    [ui.to, to],
  ]);

export function keepFilters() {
  const values = filters.map(({ id, value }) => [id, value]);
  sessionStorage.setItem('filters', JSON.stringify(Object.fromEntries(values)));
}

export function restoreFilters() {
  const values = JSON.parse(sessionStorage.getItem('filters')) ?? {};
  // A version of the page that this tab had before can have kept others.
  for (const filter of filters) {
    const { [filter.id]: value = filter.value } = values;
    if (choices.includes(filter)) offer(filter, [value]);
    filter.value = value;
  }
}

/** The path of a list with the filters that the API knows. Days are those of the reader's time zone. */
export function listPath(parameters) {
  const query = new URLSearchParams(parameters);
  if (showsSpam()) query.set('spam', 'true');
  if (answeredFilter() !== undefined) query.set('answered', answeredFilter());
  if (ui.to.value) query.set('until', new Date(`${ui.to.value}T24:00`).toISOString());
  if (ui.from.value) {
    const start = new Date(`${ui.from.value}T00:00`).toISOString();
    const since = query.get('since') ?? '';
    query.set('since', since > start ? since : start);
  }
  if (ui.site.value) query.set('site', ui.site.value);
  if (ui.form.value) query.set('form', ui.form.value);
  for (const text of textsOfCampaign(ui.campaign.value)) query.append('campaign', text);
  return `/api/v1/contact?${query}`;
}

// Campaigns

/** Names of campaigns, by what forms send: an id, or a name in any case. */
const campaignNames = new Map();

export async function readCampaigns() {
  for (let path = may('campaigns') && '/v1/campaigns'; path; ) {
    const response = await request(path);
    for (const { id, name } of await response.json()) campaignNames.set(id, name).set(name.toLowerCase(), name);
    path = nextPage(response, path);
  }
}

/** What forms send of a campaign: its id or its name, or a text that is neither. */
function textsOfCampaign(value) {
  const texts = [...campaignNames.keys()].filter((text) => campaignNames.get(text) === value);
  return texts.length > 0 ? texts : [value].filter(Boolean);
}

/** Puts the name of a campaign in place of its id. */
export function nameCampaign(contact) {
  const name = campaignNames.get(contact.campaign?.toLowerCase());
  if (name) contact.campaign = name;
  return contact;
}

// What the filters offer

/** The values that each filter offered last, with the number of contact requests that had them. Spam has others. */
const frequent = new Map();

const keyOf = (choice) => `${choice.id} ${showsSpam()}`;

/** The most frequent values of a filter. */
export const valuesOf = (choice) => (frequent.get(keyOf(choice)) ?? []).map(([value]) => value);

/** How many have each value of a field. */
function countValues(contacts, name) {
  const counts = new Map();
  for (const { [name]: value } of contacts) if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function offer(choice, values) {
  const { value: chosen } = choice;
  const sorted = [...new Set([chosen, ...values])].filter(Boolean).sort();
  const optionFor = (value) => element('option', { value, selected: value === chosen, dir: 'auto' }, value);
  choice.replaceChildren(choice.options[0], ...sorted.map(optionFor));
  choice.parentElement.hidden = sorted.length === 0;
}

/** Offers the most frequent sites, forms and campaigns of those loaded and of earlier readings, and each campaign of the API. */
export function offerChoices(contacts) {
  for (const choice of choices) {
    const counts = countValues(contacts, choice.id);
    for (const [value, earlier] of frequent.get(keyOf(choice)) ?? []) {
      counts.set(value, Math.max(earlier, counts.get(value) ?? 0));
    }
    const most = [...counts].sort(([, one], [, other]) => other - one).slice(0, maxChoices);
    frequent.set(keyOf(choice), most);
    offer(choice, [...valuesOf(choice), ...(choice === ui.campaign ? campaignNames.values() : [])]);
  }
}
