// An opened contact request.

import { attempt, may } from './api.js';
import { filesOf, isLoaded, loadedOne, readOne } from './contacts.js';
import { forgetOne, isDeleted, onDeletedElsewhere } from './deletions.js';
import { answerOf, isUnread, linkTo, neighbour, openedId, visitorIn } from './list.js';
import { markRead, recall, remember } from './memory.js';
import { details, emailForPeople, extraBelow, subjectIn, telTo } from './names.js';
import { announce, element, focusOn, onRender, render, ui, write } from './page.js';
import { mailTo, replyTo } from './reply.js';
import { environmentOption } from './session.js';
import { locale, say } from './texts.js';
import { dayAndTimeOf, longTimeOf } from './times.js';

let opened;

export const openedOne = () => opened;

/** Only an address that begins as it should becomes a link: what a visitor sent must not run. */
function addressLink(href, text) {
  if (!/^(https:|mailto:|tel:)/.test(href)) return text;
  // To come back from a site would load the list again, and lose the place in it.
  return element('a', { href, target: href.startsWith('https:') ? '_blank' : '' }, text);
}

/** How details are shown that are more than a text. */
const shownAs = {
  site: (value) => addressLink(value, value),
  releasedAt: longTimeOf,
  keptUntil: longTimeOf,
};

function describe(list, entries) {
  const parts = entries.flatMap(([name, value]) => [
    element('dt', { dir: 'auto' }, name),
    ...[value].flat().map((each) => element('dd', { dir: 'auto' }, each)),
  ]);
  list.replaceChildren(...parts);
}

/** A screen reader reads the next title only if another element gets the focus: after `j`, the old one has it already. */
function renewTitle() {
  const title = ui.openedTitle.cloneNode();
  ui.openedTitle.replaceWith(title);
  ui.openedTitle = title;
}

const copy = (text) =>
  navigator.clipboard.writeText(text).then(
    () => announce(say('copied')),
    () => announce(say('cannotCopy')),
  );

/** An address or a number under its label, unless it is the title, with what one does with it. */
function reachBy(name, shown, value, ...actions) {
  const button = element('button', { type: 'button', ariaLabel: say('copyOf', { value }) }, say('copy'));
  button.addEventListener('click', () => copy(value));
  const text = value === ui.openedTitle.textContent ? [] : [element('span', { dir: 'auto' }, shown)];
  return [element('dt', {}, name), element('dd', {}, ...text, button, ...actions)];
}

function callBy(phone, isOnlyWay) {
  const href = telTo(phone);
  if (!href) return [];
  const className = isOnlyWay ? 'primary' : 'button';
  return [element('a', { href, className, ariaLabel: say('callOf', { value: phone }) }, say('call'))];
}

/** Shows a text, or hides the part that is for it. */
function fill(part, text = '') {
  part.hidden = text === '';
  write(part, text);
}

function describeReach(contact) {
  const { email, phone } = contact;
  const address = email && emailForPeople(contact);
  ui.reach.replaceChildren(
    ...(email ? reachBy(say('email'), addressLink(mailTo(email), address), address) : []),
    ...(phone ? reachBy(say('phone'), phone, phone, ...callBy(phone, !email)) : []),
  );
  ui.noReach.hidden = Boolean(email || phone);
  ui.reply.hidden = !email;
  if (email) ui.reply.href = replyTo(contact, locale);
}

function describeBody(contact) {
  const { company, createdAt, message } = contact;
  ui.byline.replaceChildren(...(company ? [element('bdi', {}, company), ' · '] : []), dayAndTimeOf(createdAt));
  const subject = subjectIn(contact);
  const others = extraBelow(contact);
  fill(ui.subject, subject);
  fill(ui.message, message);
  ui.noMessage.hidden = Boolean(message || subject || others.length > 0 || filesOf(contact).length > 0);
  // Visitors choose these names, so they stand apart: one could look like the service's own site.
  describe(ui.extra, others);
  ui.otherFields.hidden = others.length === 0;
}

function describeDetails(contact) {
  const given = details.filter((name) => contact[name]);
  describe(
    ui.fields,
    given.map((name) => [say(name), shownAs[name]?.(contact[name]) ?? contact[name]]),
  );
}

function show(contact) {
  const { id } = contact;
  if (opened?.id !== id) renewTitle();
  opened = contact;
  ui.openedTitle.textContent = visitorIn(contact);
  describeReach(contact);
  describeBody(contact);
  describeDetails(contact);
  ui.release.textContent = `npx --no-install crcs contacts release ${id}${environmentOption()}`;
  if (isUnread(contact)) markRead([id]);
  render();
  linkTo(id)?.scrollIntoView({ block: 'nearest' });
  // What has the focus already, does not scroll by getting it.
  ui.openedTitle.focus({ preventScroll: true });
  ui.opened.scrollTop = 0;
  ui.openedTitle.scrollIntoView({ block: 'nearest' });
}

ui.copy.addEventListener('click', () => copy(ui.release.textContent));
ui.details.open = recall('details') ?? false;
ui.details.addEventListener('toggle', () => remember('details', ui.details.open));

/** Opens what the address names. Asks the API, since another person can have changed or deleted it. */
export async function openNamed() {
  const id = openedId();
  if (opened && opened.id !== id) hide();
  if (!id || isDeleted(id)) return;
  if (isLoaded(id)) show(loadedOne(id));
  await attempt(async () => {
    try {
      const contact = await readOne(id);
      if (openedId() !== id || isDeleted(id)) return;
      if (opened?.id !== id) return show(contact);
      opened = contact;
      describeDetails(contact);
      render();
    } catch (error) {
      if (error.status !== 404) throw error;
      takeAway(id);
    }
  });
}

/** Takes out what somebody else has deleted, or another window. */
export function takeAway(id) {
  const isShown = openedId() === id && !isDeleted(id);
  forgetOne(id);
  render();
  if (!isShown) return;
  close();
  announce(say('deletedElsewhere'));
}

onDeletedElsewhere(takeAway);

function hide() {
  const id = opened?.id;
  opened = undefined;
  render();
  focusOn(linkTo(id));
}

export function close() {
  history.pushState(null, '', location.pathname);
  hide();
}

/** Opens the next one, or the one before. */
export function openNeighbour(step) {
  const found = neighbour(openedId(), step);
  if (!found) return;
  location.replace(`#${found.id}`);
  show(found);
}

ui.close.addEventListener('click', close);
ui.previous.addEventListener('click', () => openNeighbour(-1));
ui.next.addEventListener('click', () => openNeighbour(1));
ui.list.addEventListener('click', ({ target }) => {
  if (target.closest('a')?.hash === location.hash) openNamed(); // No change of the address tells the page.
});

/** On a narrow screen, an opened one takes the place of the list, with its title. */
const isBeside = matchMedia('(width >= 60rem)');
isBeside.addEventListener('change', render);

onRender(() => {
  ui.opened.hidden = !opened;
  ui.openedTitle.ariaLevel = isBeside.matches ? 2 : 1;
  for (const heading of ui.opened.querySelectorAll('h3')) heading.ariaLevel = isBeside.matches ? 3 : 2;
  if (!opened) return;
  opened = loadedOne(opened.id) ?? opened;
  const { id, spamReason } = opened;
  ui.previous.disabled = !neighbour(id, -1);
  ui.next.disabled = !neighbour(id, 1);
  fill(ui.answeredNote, answerOf(opened));
  ui.isSpam.hidden = !spamReason;
  write(ui.spamReason, spamReason ? say('whySpam', { reason: say(`spam ${spamReason}`) }) : '');
  ui.howToRelease.hidden = may('write');
});
