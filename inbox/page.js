// The page: its parts, what it says for a while, and how it draws itself anew.

// A page around this one could make people click. In a meta element, `frame-ancestors` has no effect.
if (self !== top) {
  document.body.textContent = 'The inbox does not open inside another page.';
  throw new Error('The inbox does not run in a frame');
}

/** The elements of index.html, by their id. */
export const ui = Object.fromEntries([...document.querySelectorAll('[id]')].map((found) => [found.id, found]));

const policy = document.querySelector('[http-equiv="Content-Security-Policy"]').content;

/** The base URL of the API, as index.html has it. */
export const baseUrl = /connect-src ([^\s;]+)/.exec(policy)[1];

/** Sets properties only, and adds strings as text: nothing that a visitor sent can become an element. */
export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** Screen readers read a text again whenever it is written. */
export function write(part, text) {
  if (part.textContent !== text) part.textContent = text;
}

/** Gives a button its text, beside its icon if it has one, and hides it without a text. */
export function label(button, text) {
  button.hidden = text === '';
  write(button.querySelector('span') ?? button, text);
}

// Drawing anew

const drawings = [];

/** Registers what draws a part of the page. Each part is drawn after those that it imports. */
export const onRender = (draw) => drawings.push(draw);

/** Shows everything as it is now. */
export function render() {
  const { activeElement } = document;
  for (const draw of drawings) draw();
  if (!activeElement.checkVisibility()) focusOn();
}

/** Moves the focus to a part, or to what stands in its place. The page then stays where it is. */
export function focusOn(part) {
  const found = [part, ui.requests, ui.openedTitle].find((each) => each?.checkVisibility());
  found?.focus({ preventScroll: found !== part });
}

// What the page says

const messageTime = 10_000;

let timer;
let isBusy = false;

/** Says something, which goes after a while. */
export function announce(text) {
  isBusy = false;
  clearTimeout(timer);
  write(ui.status, text);
  timer = setTimeout(write, messageTime, ui.status, '');
}

/** Says something that stays until there is something else to say, such as what failed. */
export function announceForGood(text) {
  announce(text);
  clearTimeout(timer);
}

/** Says what is under way. It stays until `endWaiting`, or until there is something else to say. */
export function announceBusy(text) {
  announceForGood(text);
  isBusy = true;
}

/** Takes away what was said to be under way. */
export function endWaiting() {
  if (isBusy) announce('');
}

/** Shows a problem, with a way to try again. */
export function showProblem(reason, tryAgain) {
  endWaiting();
  write(ui.reason, reason);
  ui.problem.hidden = false;
  ui.retry.onclick = () => {
    endProblem();
    tryAgain();
  };
}

/** Shows what has arrived, instead of the problem. */
export function endProblem() {
  ui.problem.hidden = true;
  write(ui.reason, '');
  render();
}
