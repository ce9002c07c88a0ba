// The chart above the list: how many of what the filters show came in each day, week, month or year, and how much spam.
//
// What it costs the API while it is open: a page load reads, 200 a request, the list back to the first day of the chart, of which
// the first page is read anyway, and the spam of these days, up to `maxPages` of each. So do filters that the API knows. Another
// refresh is one request, for new spam.

import { attempt, knowsPermissions } from './api.js';
import { hasOlder, isPaused, isReading, listedAtOf, loadedOnes, pageSize, readOlder, stopReading } from './contacts.js';
import { countActive, showDays, showsSpam } from './filters.js';
import { shownOnes } from './list.js';
import { recall, remember } from './memory.js';
import { element, label, onRender, render, ui, write } from './page.js';
import { countIn, dayOf, inputOfDay, periodsOf, rangeOf, usualDays } from './periods.js';
import { daysOfSpam, hasOlderSpam, isReadingSpam, maxPages, oldestDayOfSpam, readSpam } from './spam.js';
import { locale, say, sayNumber } from './texts.js';
import { sayDays, sayPeriod, sayShortPeriod } from './times.js';

/** A phone has no room for it, unless someone opens it. */
ui.chart.open = recall('chart') ?? matchMedia('(width >= 40rem) and (height >= 40rem)').matches;

/** Where the browser does not know it, weeks begin on Monday. */
const { firstDay: weekStart = 1 } = new Intl.Locale(locale).getWeekInfo?.() ?? {};

const days = new WeakMap();

/** The day on which one stands in the list. Of all that the chart computes, this takes longest. */
function dayIn(contact) {
  const place = listedAtOf(contact);
  if (days.get(contact)?.place !== place) days.set(contact, { place, day: dayOf(new Date(place)) });
  return days.get(contact).day;
}

// What it counts

/** What the chart shows, once something is known. */
let shown;

/** Whether the chart shows spam beside the list. None is answered, and in its own place it is the list. */
const hasSpam = () => ui.show.value === 'inbox';

const smallest = (numbers) => numbers.reduce((one, other) => Math.min(one, other), Infinity);

/** Counts what the filters show. A series is complete since a day, if all of it that came then or later is read. */
function count() {
  const listed = shownOnes().map(dayIn);
  const marked = hasSpam() ? daysOfSpam() : [];
  const loaded = loadedOnes();
  const range = rangeOf({
    from: ui.from.value,
    to: ui.to.value,
    today: dayOf(new Date()),
    newest: loaded.length > 0 ? dayIn(loaded[0]) : undefined,
    oldest: listed.length + marked.length > 0 ? smallest([...listed, ...marked]) : undefined,
  });
  const { kind, periods } = periodsOf(range, weekStart);
  const list = { counts: countIn(periods, listed), since: hasOlder() ? dayIn(loaded.at(-1)) + 1 : 0 };
  const spam = {
    counts: countIn(periods, marked),
    since: hasSpam() && hasOlderSpam() ? oldestDayOfSpam() + 1 : 0,
  };
  return { range, kind, periods, list, spam };
}

/** Says how many came in a period. In spam's place, all of them are spam. */
function sayCounts(period, first, listed, marked) {
  const { list, spam } = shown;
  return say(marked > 0 ? 'countAndSpamOf' : 'countOf', {
    period,
    count: listed,
    isAtLeast: first < list.since,
    spam: sayNumber(marked, first < spam.since),
  });
}

const sayBar = (index) => {
  const { kind, periods, list, spam } = shown;
  const period = periods[index];
  return sayCounts(sayPeriod(kind, period), period.first, list.counts[index], spam.counts[index]);
};

const sum = (counts) => counts.reduce((one, other) => one + other, 0);

function sayAll() {
  const { range, list, spam } = shown;
  const hasDates = ui.from.value || ui.to.value;
  const period = hasDates ? sayDays(range) : say('lastDays', { days: usualDays });
  return sayCounts(period, range.first, sum(list.counts), sum(spam.counts));
}

// What it reads

let isReadingBack = false;

const needsOlder = () =>
  ui.chart.open &&
  ui.problem.hidden &&
  !isPaused() &&
  loadedOnes().length > 0 &&
  loadedOnes().length < maxPages * pageSize &&
  shown.list.since > shown.range.first;

/** Reads the list back to the first day of the chart, unless someone stops it. */
async function readBack() {
  if (isReadingBack || !needsOlder()) return;
  isReadingBack = true;
  while (needsOlder()) await attempt(readOlder);
  isReadingBack = false;
  render();
}

/** Reads the spam of the chart, or what is new of it. */
export function countSpamOfChart() {
  if (!ui.chart.open || !hasSpam() || !knowsPermissions()) return;
  readSpam();
  render();
}

// A bar: the slider chooses one for keys, the pointer any

function choose(index) {
  const text = index === undefined ? '' : sayBar(index);
  [...ui.bars.children].forEach((bar, at) => {
    bar.classList.toggle('chosen', at === index);
  });
  label(ui.showBar, text);
  if (index === undefined) return;
  ui.chosenBar.value = index;
  ui.chosenBar.ariaValueText = text;
}

function barAt({ clientX }) {
  const { left, right, width } = ui.bars.getBoundingClientRect();
  const distance = document.documentElement.dir === 'rtl' ? right - clientX : clientX - left;
  const { length } = shown.periods;
  return Math.min(Math.max(Math.floor((distance / width) * length), 0), length - 1);
}

function showBar(index) {
  const { first, last } = shown.periods[index];
  showDays(inputOfDay(first), inputOfDay(last));
}

const hasKeys = () => ui.chosenBar.matches(':focus-visible') || ui.showBar.matches(':focus');

ui.chosenBar.addEventListener('input', () => choose(Number(ui.chosenBar.value)));
ui.chosenBar.addEventListener('focus', () => hasKeys() && choose(Number(ui.chosenBar.value)));
ui.chosenBar.addEventListener('pointermove', (event) => choose(barAt(event)));
// A finger on a slider makes no click in Chromium.
ui.chosenBar.addEventListener('pointerup', (event) => event.button === 0 && showBar(barAt(event)));
ui.chartForm.addEventListener('pointerleave', () => hasKeys() || choose());
ui.chartForm.addEventListener('focusout', ({ relatedTarget }) => ui.chartForm.contains(relatedTarget) || choose());
ui.chartForm.addEventListener('submit', (event) => {
  event.preventDefault();
  showBar(Number(ui.chosenBar.value));
});
ui.stopCounting.addEventListener('click', stopReading);
// Before it opens or folds.
ui.chartSummary.addEventListener('click', () => remember('chart', !ui.chart.open));
ui.chart.addEventListener('toggle', () => {
  countSpamOfChart();
  render();
});

// Drawing

/** So many dates have room below the bars. */
const maxDates = 5;

const styled = (part, properties) => {
  for (const [name, value] of Object.entries(properties)) part.style.setProperty(name, value);
  return part;
};

/** A date below the middle one of so many bars, counted from the last. */
function datesOf(kind, periods) {
  const step = 2 * Math.ceil((periods.length / maxDates - 1) / 2) + 1;
  const dates = [];
  for (let first = periods.length - step; first >= 0; first -= step) {
    const text = sayShortPeriod(kind, periods[first + (step - 1) / 2]);
    dates.unshift(styled(element('span', {}, text), { 'grid-column': `${first + 1} / span ${step}` }));
  }
  return dates;
}

function drawBars() {
  const { kind, periods, list, spam } = shown;
  const highest = Math.max(...periods.map((_, index) => list.counts[index] + spam.counts[index]));
  const part = (className, count) =>
    styled(element('i', { className, hidden: count === 0 }), { '--part': count / highest });
  const bars = periods.map((_, index) =>
    element(
      'div',
      {},
      part('marked', spam.counts[index]),
      part(showsSpam() ? 'marked' : 'accepted', list.counts[index]),
    ),
  );
  styled(ui.chartForm, { '--bars': periods.length });
  ui.chartScale.replaceChildren(
    ...(highest > 0 ? [highest, 0] : [0]).map((value) => element('span', {}, sayNumber(value))),
  );
  ui.bars.replaceChildren(...bars);
  ui.axis.replaceChildren(...datesOf(kind, periods));
  ui.chosenBar.max = periods.length - 1;
  ui.chosenBar.ariaLabel = say(kind);
  const isChosen = hasKeys();
  if (!isChosen) ui.chosenBar.value = ui.chosenBar.max;
  choose(Number(ui.chosenBar.value));
  if (!isChosen) choose();
}

function drawTable() {
  const { kind, periods, list, spam } = shown;
  const columns = [[showsSpam() ? 'spam' : 'contactRequests', list], ...(hasSpam() ? [['spam', spam]] : [])];
  const head = [kind, ...columns.map(([name]) => name)].map((name) => element('th', { scope: 'col' }, say(name)));
  const rows = periods.map((period, index) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, sayPeriod(kind, period)),
      ...columns.map(([, { counts, since }]) => element('td', {}, sayNumber(counts[index], period.first < since))),
    ),
  );
  ui.counts.replaceChildren(
    element('caption', {}, sayAll()),
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...rows),
  );
}

let drawn;

function drawChart() {
  const state = JSON.stringify([shown, ui.show.value]);
  if (state === drawn) return;
  drawn = state;
  drawBars();
  drawTable();
}

/** What there is to say about the counts of the chart. */
function sayComplete() {
  const { range, list, spam } = shown;
  const since = Math.max(list.since, spam.since);
  const isPartial = since > range.first && since <= range.last;
  return isPartial ? say('completeSince', { day: sayDays({ first: since, last: since }) }) : '';
}

onRender(() => {
  const isKnown = loadedOnes().length > 0 || !hasOlder();
  ui.chart.ariaBusy = String(!isKnown);
  if (!isKnown) return;
  shown = count();
  const isEmpty = loadedOnes().length === 0 && countActive() === 0 && sum(shown.spam.counts) === 0;
  ui.chart.hidden = isEmpty;
  if (isEmpty) return;
  write(ui.chartSummary, sayAll());
  if (!ui.chart.open) return;
  drawChart();
  const isCounting = (isReadingBack || isReadingSpam()) && !isReading() && !isPaused();
  ui.counting.hidden = !isCounting;
  write(ui.complete, isCounting || isReading() ? '' : sayComplete());
  ui.legend.children[0].hidden = showsSpam();
  ui.legend.children[1].hidden = !showsSpam() && !hasSpam();
  readBack();
});
