// Sends the contact forms of a page without leaving the page, and shows the result in the form. To use it, copy this file
// and add <script type="module" src="contact-form.js"></script> to the page. Without JavaScript the forms are plain forms.

/** The texts for visitors: translate them. You can add texts by an error's code, such as `too_long`. */
const texts = {
  language: 'en',
  sending: 'Sending…',
  arrived: 'Thank you. We have received your message.',
  mistakes: 'Please correct the errors, then send your message again.',
  captcha: 'Please complete the security check, then send your message again.',
  unreachable: 'The service could not be reached. Please check your internet connection, then send your message again.',
  403: 'Your message could not be accepted. Please contact us in another way.',
  413: 'Your message is too long. Please shorten it and send it again.',
  415: 'Only text can be sent with this form. Please send your message without files.',
  429: 'We are receiving too many messages right now. Please send yours again {when}.',
  500: 'Something went wrong on our side. Please send your message again later.',
  503: 'The service is temporarily unavailable. Please send your message again {when}.',
};

/** The fields of captchas, and their widgets. An answer is valid once, so it is not content. */
const captchas = {
  'cf-turnstile-response': 'turnstile',
  'h-captcha-response': 'hcaptcha',
  'g-recaptcha-response': 'grecaptcha',
};

for (const form of document.querySelectorAll('form[action$="/api/v1/contact"]')) {
  const errors = new Map(); // By the name of the field.
  let attempt = {};
  let spare; // The key of the next content.
  // It exists before it has text, since screen readers announce only changes.
  const status = form.appendChild(Object.assign(document.createElement('div'), { role: 'status', tabIndex: -1 }));
  form.noValidate = true; // The browser would show one mistake at a time.

  form.addEventListener('focusin', ({ target }) => {
    if (target !== status) spare ??= newKey(form);
  });

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
    // A widget takes a moment. Without an answer, the service would mark the message as spam.
    const answers = Object.keys(captchas).flatMap((name) => data.getAll(name));
    if (answers.length > 0 && answers.every((answer) => answer === '')) return say('failed', [texts.captcha]);
    const content = JSON.stringify([...data].filter(([name]) => !Object.hasOwn(captchas, name)));
    if (content !== attempt.content) {
      attempt = { content, ...(spare ?? newKey(form)) };
      spare = undefined;
    }
    // The service accepts a proof for a day. An hour leaves room for a wrong clock.
    if (Math.abs(currentMinute() - attempt.minute) > 60) Object.assign(attempt, newKey(form, attempt.key));
    data.set('idempotency-key', attempt.key);
    say('sending', [texts.sending]);
    if (attempt.proof) data.set('_proof', await attempt.proof);
    const { arrived, text, details } = await post(form, data).catch(() => ({ text: texts.unreachable }));
    resetCaptchas(data);
    // The service's text for `required` stays: it can ask for an email or a phone number.
    if (details?.length > 0)
      return refuse(details.map((it) => (it.code === 'required' ? { ...it, code: undefined } : it)));
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

function resetCaptchas(data) {
  for (const [field, widget] of Object.entries(captchas)) {
    try {
      if (data.has(field)) globalThis[widget]?.reset();
    } catch {} // hCaptcha adds reCAPTCHA's field, too, and reCAPTCHA throws if it has no widget on the page.
  }
}

const currentMinute = () => Math.floor(Date.now() / 60_000);

/** A key for one content. With <form data-proof="17">, it begins to look for a proof of work of 17 bits for that key. */
function newKey(form, key = crypto.getRandomValues(new Uint32Array(4)).join('-')) {
  const minute = currentMinute();
  const bits = Math.min(form.dataset.proof, 24); // The service asks for no more.
  return { key, minute, proof: bits > 0 ? findProof(`${self.origin} ${key} `, `${minute}.`, bits) : undefined };
}

/** Adds digits to a proof until the SHA-256 of start and proof begins with so many zero bits. */
async function findProof(start, proof, bits) {
  // The last ten digits count. Zeros before them bring these ten and the padding of 9 bytes into the same block of 64.
  let length = start.length + proof.length + 10;
  while ((length - 10) >> 6 !== (length + 8) >> 6) length += 1;
  const last = (length >> 6) << 6;
  const bytes = new Uint8Array(last + 64);
  new TextEncoder().encodeInto((start + proof).padEnd(length, '0'), bytes);
  bytes[length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(last + 60, length * 8);
  let state = firstState;
  for (let at = 0; at < last; at += 64) state = addBlock(state, view, at);

  const slice = 8; // Milliseconds: too few to notice.
  let end = performance.now() + slice;
  for (let tries = 1; Math.clz32(addBlock(state, view, last)[0]) < bits; tries += 1) {
    for (let at = length - 1; ++bytes[at] > 57; at -= 1) bytes[at] = 48; // The codes of 9 and 0.
    if (tries % 10 > 0 || performance.now() < end) continue;
    await pause();
    end = performance.now() + slice;
  }
  return new TextDecoder().decode(bytes.subarray(start.length, length));
}

/** Lets the browser handle input and draw. A timer would take 4 ms, or a second in a hidden tab. */
function pause() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => resolve(port1.close());
    port2.postMessage('');
  });
}

// SHA-256 as in FIPS 180-4. The browser's own is asynchronous, which makes it ten times as slow for short texts.
const primes = [];
for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);
const fraction = (root) => ((root % 1) * 2 ** 32) | 0;
const firstState = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const constants = primes.map((prime) => fraction(Math.cbrt(prime)));
const words = new Int32Array(64);
const rotate = (x, bits) => (x >>> bits) | (x << (32 - bits));

function addBlock(state, view, start) {
  for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(start + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const [x, y] = [words[i - 15], words[i - 2]];
    const mixed = (rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)) + (rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10));
    words[i] = words[i - 16] + words[i - 7] + mixed;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const mixed = (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g));
    const one = (h + mixed + constants[i] + words[i]) | 0;
    const two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e] = [g, f, e, (d + one) | 0];
    [d, c, b, a] = [c, b, a, (one + two) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]) | 0);
}
