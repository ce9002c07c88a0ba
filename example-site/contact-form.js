// Sends the contact forms of a page without leaving the page, and shows the result in the form. To use it, copy this file
// and add <script type="module" src="contact-form.js"></script> to the page. Without JavaScript the forms are plain forms.

/** The texts for visitors: translate them. You can add texts by the code of a mistake, such as `required`. */
const texts = {
  language: 'en',
  sending: 'Sending…',
  arrived: 'Thank you. Your message has arrived.',
  mistakes: 'Please correct the mistakes, then send your message again.',
  unreachable: 'The service could not be reached. Please check your connection, then send your message again.',
  403: 'The service refused this message. Please contact us in another way.',
  413: 'Your message is too long. Please shorten it and send it again.',
  415: 'Only text can be sent here. Please send your message without files.',
  429: 'Too many messages are arriving right now. Please send yours again {when}.',
  500: 'Something went wrong on our side. Please send your message again later.',
  503: 'The service is unavailable. Please send your message again {when}.',
};

for (const form of document.querySelectorAll('form[action$="/api/v1/contact"]')) {
  const errors = new Map(); // By the name of the field.
  let attempt = {};
  // It exists before it has text, since screen readers announce only changes.
  const status = form.appendChild(Object.assign(document.createElement('div'), { role: 'status', tabIndex: -1 }));
  form.noValidate = true; // The browser would show one mistake at a time.

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (status.dataset.state === 'sending') return;
    for (const error of errors.values()) error.textContent = '';
    for (const control of form.elements) control.ariaInvalid = null;
    const invalid = [...form.elements].filter(({ name, validity }) => name && validity?.valid === false);
    if (invalid.length > 0) return refuse(invalid.map(mistakeOf));
    // One key for each content, so that a retry is stored once. An image button's coordinates are not content.
    const typed = [...new FormData(form, event.submitter?.type === 'image' ? null : event.submitter)];
    if (typed.some(([, value]) => value.name)) return say('failed', [texts[415]]);
    const data = new URLSearchParams(typed.filter(([, value]) => value.name !== '')); // Without empty file inputs.
    const content = data.toString();
    if (content !== attempt.content) attempt = { content, key: crypto.getRandomValues(new Uint32Array(4)).join('-') };
    data.set('idempotency-key', attempt.key);
    say('sending', [texts.sending]);
    const { arrived, text, details } = await post(form, data).catch(() => ({ text: texts.unreachable }));
    if (details?.length > 0) return refuse(details);
    say(arrived ? 'arrived' : 'failed', [text]);
    if (!arrived) return;
    attempt = {};
    HTMLFormElement.prototype.reset.call(form); // A button named "reset" would hide form.reset.
    status.focus();
  });

  const say = (state, lines) => {
    status.dataset.state = state;
    status.replaceChildren(...lines.map((textContent) => Object.assign(document.createElement('p'), { textContent })));
  };

  const refuse = (details) => {
    say('failed', [...new Set([texts.mistakes, ...details.flatMap(mark)])]);
    [...form.elements].find(({ ariaInvalid }) => ariaInvalid)?.focus();
  };

  const mark = ({ field, code, limit, message }) => {
    const words = texts[code]?.replace('{limit}', limit) ?? message;
    const marked = [...form.elements].filter((it) => it.name === field && it.getClientRects().length > 0);
    if (marked.length === 0) return field === 'body' ? words : `${field}: ${words}`;
    if (!errors.has(field)) errors.set(field, describe(marked));
    for (const control of marked) control.ariaInvalid = 'true';
    errors.get(field).textContent = words;
    return [];
  };
}

/** The browser's finding, with the service's code if there is one. Findings of the page's own script have none. */
function mistakeOf({ name, type, validity: is, maxLength, validationMessage }) {
  const malformed = { email: is.typeMismatch && 'invalid_email', tel: is.patternMismatch && 'invalid_phone' }[type];
  const code = (is.valueMissing && 'required') || (is.tooLong && 'too_long') || malformed;
  return { field: name, code: is.customError ? undefined : code, limit: maxLength, message: validationMessage };
}

/** Adds an element for a field's mistake: below its last control, or the label that contains (16) or follows (2) it. */
function describe(marked) {
  const note = Object.assign(document.createElement('div'), { className: 'error', id: `error-${Math.random()}` });
  const label = [...(marked.at(-1).labels ?? [])].at(-1);
  (label?.compareDocumentPosition(marked.at(-1)) & (16 | 2) ? label : marked.at(-1)).after(note);
  for (const it of marked)
    it.setAttribute('aria-describedby', `${it.getAttribute('aria-describedby') ?? ''} ${note.id}`.trim());
  return note;
}

async function post(form, data, isJson = form.dataset.send === 'json') {
  // Urlencoded data needs no preflight. <form data-send="json"> sends JSON, with a list for repeated names.
  const all = [...data.keys()].map((name) => [name, data.getAll(name).length > 1 ? data.getAll(name) : data.get(name)]);
  const json = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(Object.fromEntries(all)) };
  const request = { method: 'POST', ...(isJson ? json : { body: data }) };
  const response = await fetch(form.getAttribute('action'), { ...request, signal: AbortSignal.timeout(30_000) });
  if (response.ok) return { arrived: true, text: texts.arrived };
  const answer = await response.json().catch(() => null); // A proxy can answer in HTML.
  const seconds = Number(response.headers.get('Retry-After')) || 60;
  const when = new Intl.RelativeTimeFormat(texts.language).format(seconds, 'second');
  return { text: (texts[response.status] ?? texts[500]).replace('{when}', when), details: answer?.details };
}
