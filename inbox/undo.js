// What can be undone for some seconds: what was done last, and before it what was done shortly earlier.

import { label, onRender, render, ui, write } from './page.js';
import { say } from './texts.js';

const undoTime = 5_000;

/** The last one is shown. */
let offers = [];
const timers = new Map();

/**
 * Offers to undo something, or offers it for longer.
 * @param offer - `text` says what was done; `undo` takes it back; `end` is called when nobody can do that any more
 */
export function offerUndo(offer) {
  withdraw(offer);
  offers.push(offer);
  waitToEnd(offer);
}

/** Someone who has reached Undo has all the time they need. */
function waitToEnd(offer) {
  const end = () => {
    if (ui.undo.matches(':hover, :focus')) return waitToEnd(offer);
    withdraw(offer);
    render();
    offer.end?.();
  };
  timers.set(offer, setTimeout(end, undoTime));
}

/** Takes an offer away: there is nothing to undo. */
export function withdraw(offer) {
  clearTimeout(timers.get(offer));
  timers.delete(offer);
  offers = offers.filter((each) => each !== offer);
}

/** Undoes what was done last. */
export function undo() {
  const last = offers.at(-1);
  if (!last) return;
  withdraw(last);
  last.undo();
}

ui.undo.addEventListener('click', undo);

onRender(() => {
  const last = offers.at(-1);
  write(ui.undoText, last?.text() ?? '');
  label(ui.undo, last ? say('undo') : '');
});
