// An opened contact request.

import { attempt } from './api.js';
import { isLoaded, loadedOne, readOne } from './contacts.js';
import { columns } from './csv.js';
import { forgetOne, isDeleted, onDeletedElsewhere } from './deletions.js';
import { isUnread, linkTo, neighbour, openedId, visitorIn } from './list.js';
import { markRead } from './memory.js';
import { emailForPeople, extraForPeople, telTo } from './names.js';
import { announce, element, focusOn, onRender, render, ui } from './page.js';
import { addressLink, mailTo, replyTo } from './reply.js';
import { environmentOption } from './session.js';
import { say } from './texts.js';
import { longTimeOf } from './times.js';

let opened;

export const openedOne = () => opened;

/** What stands above the details. */
const above = ['email', 'phone', 'message'];

/** The fields that stand among the details, in their order. */
const details = [...columns.filter((name) => name !== 'id' && !above.includes(name)), 'keptUntil', 'id'];

/** How those are shown that are more than a text. */
const shownAs = {
  site: (value) => addressLink(value, value),
  createdAt: longTimeOf,
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

/** An address or a number, as a link if it can be one, with a button that copies it. */
function reachBy(name, href, text) {
  const copyName = say('copyOf', { name });
  const button = element('button', { type: 'button', ariaLabel: copyName, title: copyName }, say('copy'));
  button.addEventListener('click', () => copy(text));
  return [element('dt', {}, name), element('dd', { dir: 'auto' }, addressLink(href, text), ' ', button)];
}

function describeFields(contact) {
  const { email, phone, message } = contact;
  const address = email && emailForPeople(contact);
  ui.reach.replaceChildren(
    ...(email ? reachBy(say('email'), mailTo(email), address) : []),
    ...(phone ? reachBy(say('phone'), telTo(phone), phone) : []),
  );
  ui.message.textContent = message ?? '';
  ui.message.hidden = !message;
  const title = visitorIn(contact);
  const isInTitle = (value) => value === title;
  // Visitors choose these names, so they stand apart: one could look like the service's own address or site.
  const others = extraForPeople(contact).filter(([, value]) => !isInTitle(value));
  describe(ui.extra, others);
  ui.otherFields.hidden = others.length === 0;
  const given = details.filter((name) => contact[name]);
  describe(
    ui.fields,
    given.map((name) => [say(name), shownAs[name]?.(contact[name]) ?? contact[name]]),
  );
}

function show(contact) {
  const { id, email, spamReason } = contact;
  if (opened?.id !== id) renewTitle();
  opened = contact;
  ui.isSpam.hidden = !spamReason;
  ui.spamReason.textContent = spamReason ? say('whySpam', { reason: say(`spam ${spamReason}`) }) : '';
  ui.openedTitle.textContent = visitorIn(contact);
  describeFields(contact);
  ui.reply.hidden = !email;
  if (email) ui.reply.href = replyTo(contact);
  ui.release.textContent = `npx --no-install crcs contacts release ${id}${environmentOption()}`;
  if (isUnread(contact)) markRead([id]);
  render();
  linkTo(id)?.scrollIntoView({ block: 'nearest' });
  // What has the focus already, does not scroll by getting it.
  ui.openedTitle.focus({ preventScroll: true });
  ui.openedTitle.scrollIntoView({ block: 'nearest' });
}

const copy = (text) =>
  navigator.clipboard.writeText(text).then(
    () => announce(say('copied')),
    () => announce(say('cannotCopy')),
  );

ui.copy.addEventListener('click', () => copy(ui.release.textContent));

/** Opens what the address names. Asks the API, since another person can have deleted it. */
export async function openNamed() {
  const id = openedId();
  if (opened && opened.id !== id) hide();
  if (!id || isDeleted(id)) return;
  if (isLoaded(id)) show(loadedOne(id));
  await attempt(async () => {
    try {
      const contact = await readOne(id);
      if (openedId() !== id || isDeleted(id)) return;
      const isKnown = opened?.id === id && opened.releasedAt === contact.releasedAt;
      if (isKnown) describeFields(contact);
      else show(contact);
    } catch (error) {
      if (error.status !== 404) throw error;
      takeAway(id);
    }
  });
}

/** Takes out what somebody else has deleted, or another window. */
function takeAway(id) {
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

onRender(() => {
  ui.opened.hidden = !opened;
  ui.previous.disabled = !opened || !neighbour(opened.id, -1);
  ui.next.disabled = !opened || !neighbour(opened.id, 1);
});
