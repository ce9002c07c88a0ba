// How the page shows times: in the reader's language and time zone.

import { element } from './page.js';
import { dateOfDay, dayOf } from './periods.js';
import { capitalise, locale, say } from './texts.js';

const format = (options) => new Intl.DateTimeFormat(locale, options);

const time = format({ timeStyle: 'short' });
const weekday = format({ weekday: 'long' });
const dayOfYear = format({ day: 'numeric', month: 'short' });
const dayOfAnyYear = format({ dateStyle: 'medium' });
const month = format({ month: 'long', year: 'numeric' });
const shortTime = format({ dateStyle: 'medium', timeStyle: 'short' });
const dayAndTime = format({ dateStyle: 'full', timeStyle: 'short' });
const longTime = format({ dateStyle: 'full', timeStyle: 'long' });
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });

const today = capitalise(relative.format(0, 'day'));
const yesterday = capitalise(relative.format(-1, 'day'));
/** Not *Last week*: on a Friday, that is none of these days. */
const lastDays = say('lastDays', { days: 7 });

const daysAgo = (date) => dayOf(new Date()) - dayOf(date);

/** `10:42`, `Yesterday`, `Tuesday`, `3 Mar`, `3 Mar 2025` */
function rowTime(date) {
  const days = daysAgo(date);
  if (days <= 0) return time.format(date);
  if (days === 1) return yesterday;
  if (days < 7) return capitalise(weekday.format(date));
  return date.getFullYear() === new Date().getFullYear() ? dayOfYear.format(date) : dayOfAnyYear.format(date);
}

/** What a group of rows is called: `Today`, `Yesterday`, `Last 7 days`, else a month. */
export function periodOf(value) {
  const date = new Date(value);
  const days = daysAgo(date);
  if (days <= 0) return today;
  if (days === 1) return yesterday;
  return days <= 7 ? lastDays : capitalise(month.format(date));
}

const timeElement = (value, text) =>
  element('time', { dateTime: value, lang: locale, title: longTime.format(new Date(value)) }, text);

/** A time as a row shows it. */
export const shortTimeOf = (value) => timeElement(value, rowTime(new Date(value)));

/** A time with its weekday. */
export const dayAndTimeOf = (value) => timeElement(value, dayAndTime.format(new Date(value)));

/** A time with its date and its time zone. */
export const longTimeOf = (value) => timeElement(value, longTime.format(new Date(value)));

/** `10:42`, with the date if it was not today */
export const sayTime = (value) => (daysAgo(new Date(value)) <= 0 ? time.format(new Date(value)) : sayShortTime(value));

export const sayShortTime = (value) => shortTime.format(new Date(value));

// Days by their number, and periods of them

const ofDay = (options) => format({ ...options, timeZone: 'UTC' });

const day = ofDay({ weekday: 'long', day: 'numeric', month: 'long' });
const dayOfOtherYear = ofDay({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const days = ofDay({ dateStyle: 'medium' });
const wholePeriods = { month: ofDay({ month: 'long', year: 'numeric' }), year: ofDay({ year: 'numeric' }) };
const shortDay = ofDay({ day: 'numeric', month: 'short' });
const shortPeriods = { month: ofDay({ month: 'short', year: 'numeric' }), year: ofDay({ year: 'numeric' }) };

/** `2 – 8 Mar 2026` */
export const sayDays = ({ first, last }) => days.formatRange(dateOfDay(first), dateOfDay(last));

/** Whether a period is a month or a year from its first to its last day, and not a part of it. */
function isWhole(kind, { first, last }) {
  const [start, end] = [dateOfDay(first), dateOfDay(last + 1)];
  const beginsMonth = start.getUTCDate() === 1 && end.getUTCDate() === 1;
  return kind === 'month' ? beginsMonth : beginsMonth && start.getUTCMonth() === 0 && end.getUTCMonth() === 0;
}

/** `Tuesday 3 March`, `2 – 8 Mar 2026`, `March 2026`, `2026` */
export function sayPeriod(kind, period) {
  const date = dateOfDay(period.first);
  if (kind === 'day') return (date.getUTCFullYear() === new Date().getFullYear() ? day : dayOfOtherYear).format(date);
  return kind in wholePeriods && isWhole(kind, period) ? wholePeriods[kind].format(date) : sayDays(period);
}

/** `3 Mar`, `Mar 2026`, `2026` */
export const sayShortPeriod = (kind, { first }) => (shortPeriods[kind] ?? shortDay).format(dateOfDay(first));
