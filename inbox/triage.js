// Together: what staff mark for each other. It goes to the API at once; Undo sends the opposite.

import { act, contactOf, isSure } from './actions.js';
import { may, reasonOf, request } from './api.js';
import { noteChange, stateOf, waitForChanges } from './contacts.js';
import { openedOne, takeAway } from './detail.js';
import { showsSpam } from './filters.js';
import { linkTo, selectedIds } from './list.js';
import { announce, announceForGood, focusOn, label, onRender, render, ui } from './page.js';
import { say } from './texts.js';
import { offerUndo, withdraw } from './undo.js';

const isMarked = ({ spamReason }) => spamReason !== undefined;
const isAnswered = ({ answeredAt }) => answeredAt !== undefined;

/** What one can change: how the API calls it, how to see it, and how it looks before the API has responded. */
const kinds = {
  answered: {
    is: isAnswered,
    guess: (value) => ({ answeredAt: value ? new Date().toISOString() : undefined, answeredBy: undefined }),
  },
  spam: { is: isMarked, guess: (value) => ({ spamReason: value ? 'staff' : undefined }) },
};

/** By id, the last change of each contact request. What the API says of an earlier one no longer counts. */
const latest = new Map();
/** Ends when all changes so far have been sent. */
let sent = Promise.resolve();

/**
 * Shows a change as if it were made, and sends it.
 * @param before - by contact request, what to go back to if it fails
 * @param offer - what offers to undo it
 */
function change(contacts, body, before, states, offer) {
  for (const contact of contacts) {
    Object.assign(contact, states.get(contact));
    latest.set(contact.id, body);
    noteChange(contact.id, Infinity);
  }
  sent = sent.then(() => send(contacts, body, before, offer));
  waitForChanges(sent);
}

async function send(contacts, body, before, offer) {
  let error;
  let failed = 0;
  let changed = 0;
  for (const contact of contacts) {
    const { id } = contact;
    let state = before.get(contact);
    try {
      // After an error, such as no connection, the rest would fail too.
      if (error) throw error;
      state = await (await request(`/api/v1/contact/${id}`, { method: 'PATCH', body })).json();
      changed += 1;
    } catch (reason) {
      if (reason.status === 404) takeAway(id);
      else {
        error = reason;
        failed += 1;
      }
    }
    if (latest.get(id) !== body) continue;
    Object.assign(contact, stateOf(state));
    noteChange(id, performance.now());
  }
  if (changed === 0) withdraw(offer);
  render();
  if (error) announceForGood(`${say('notMarked', { count: failed })} ${await reasonOf(error)}`);
}

function mark(ids, kind, value) {
  const { is, guess } = kinds[kind];
  const contacts = ids.map(contactOf).filter((contact) => is(contact) !== value);
  const count = contacts.length;
  if (count === 0 || !may('write') || !isSure(count, 'sureToMark')) return;
  const before = new Map(contacts.map((contact) => [contact, stateOf(contact)]));
  const after = new Map(contacts.map((contact) => [contact, guess(value)]));
  const changedIds = contacts.map(({ id }) => id);
  const done = `done ${value ? kind : `not ${kind}`}`;
  const undo = () => {
    act(changedIds, () => change(contacts, { [kind]: !value }, after, before));
    announce(say('undone'));
    const [first] = changedIds;
    focusOn(openedOne()?.id === first ? ui.answered : linkTo(first));
  };
  announce('');
  act(changedIds, () => {
    const offer = { text: () => say(done, { count }), undo };
    change(contacts, { [kind]: value }, before, after, offer);
    offerUndo(offer);
  });
}

export const toggleSpam = (ids) => mark(ids, 'spam', !ids.map(contactOf).every(isMarked));

/** Nobody answers spam. */
export function toggleAnswered(ids) {
  const wanted = ids.filter((id) => !isMarked(contactOf(id)));
  mark(wanted, 'answered', !wanted.map(contactOf).every(isAnswered));
}

ui.answered.addEventListener('click', () => toggleAnswered([openedOne().id]));
ui.markSpam.addEventListener('click', () => toggleSpam([openedOne().id]));
ui.notSpam.addEventListener('click', () => toggleSpam([openedOne().id]));
ui.answerSelected.addEventListener('click', () => toggleAnswered(selectedIds()));
ui.spamSelected.addEventListener('click', () => toggleSpam(selectedIds()));

onRender(() => {
  const contact = openedOne() ?? {};
  ui.answered.hidden = !may('write') || isMarked(contact);
  ui.answered.ariaPressed = isAnswered(contact);
  ui.markSpam.hidden = !may('write') || isMarked(contact);
  ui.notSpam.hidden = !may('write') || !isMarked(contact);

  const selected = may('write') ? selectedIds().map(contactOf) : [];
  const answerText = say(selected.every(isAnswered) ? 'markNotAnswered' : 'markAnswered');
  label(ui.answerSelected, selected.length > 0 && !showsSpam() ? answerText : '');
  label(ui.spamSelected, selected.length > 0 ? say(showsSpam() ? 'notSpam' : 'markSpam') : '');

  // Safari shows options that are only hidden.
  for (const option of [ui.showAnswered, ui.showNotAnswered]) {
    option.hidden = !may('triage');
    option.disabled = !may('triage');
  }
  ui.helpTogether.hidden = !may('write');
});
