// Sends contact forms without leaving the page, and shows the result in the form. To use it, copy this file and add
// <script type="module" src="contact-form.js"></script> to the page. Without JavaScript the forms are plain forms.

(() => {
  /** The texts for visitors: translate them. You can add texts by an error's code, such as `too_long`. */
  const texts = {
    language: 'en',
    sending: 'Sending…',
    uploading: 'Uploading: {percent}',
    arrived: 'Thank you. We have received your message.',
    mistakes: 'Please correct the errors, then send your message again.',
    captcha: 'Please complete the security check, then send your message again.',
    unreachable: 'The service could not be reached. Please check your internet connection, then send it again.',
    403: 'Your message could not be accepted. Please contact us in another way.',
    413: 'Your message is too long. Please shorten it and send it again.',
    415: 'Only text can be sent with this form. Please send your message without files.',
    429: 'We are receiving too many messages right now. Please send yours again {when}.',
    500: 'Something went wrong on our side. Please send your message again later.',
    503: 'The service is temporarily unavailable. Please send your message again {when}.',
    too_many_files: 'Choose fewer files: {limit} at most.',
    file_type: 'Choose a file of one of these types: {types}.',
    empty_file: 'This file is empty. Choose another file.',
    files_too_large: 'Choose fewer or smaller files: {limit} MB at most in total. This form has {sent} MB.',
  };

  if (document.hasContactFormScript) return; // The page loads this script twice.
  document.hasContactFormScript = true;

  const contactForms = 'form[action$="/api/v1/contact"]';
  const states = new WeakMap(); // By form.
  const arrivedWith = new URLSearchParams(location.search); // Routers change the URL later.
  let pressed; // The button that was clicked last.

  // The document hears of every form, also of those that other scripts add later.
  document.addEventListener('focusin', ({ target }) => prepare(target));
  document.addEventListener('input', ({ target }) => updateError(target));
  document.addEventListener('click', rememberButton, true);
  document.addEventListener('submit', checkInsteadOfBrowser, true);
  document.addEventListener('submit', (event) => {
    const form = event.target;
    const submitter = submitterOf(event);
    if (event.defaultPrevented || leadsElsewhere(submitter) || !isContactForm(form)) return;
    // If this script fails before it has sent anything, the browser sends the plain form, so no message is lost. Without
    // its proof of work, that would be spam: then the visitor sees an error.
    const needsProof = bitsOf(form) > 0;
    if (needsProof) event.preventDefault();
    try {
      if (!isSending(form)) send(form, submitter);
    } catch (error) {
      say(form, 'failed', needsProof ? [texts[500]] : []);
      throw error;
    }
    event.preventDefault();
  });

  /** Reads a property of a form. A field named like a property, such as "elements", would hide it. */
  const own = (form, property) => Reflect.get(HTMLFormElement.prototype, property, form);

  const isContactForm = (form) => form instanceof HTMLFormElement && own(form, 'matches').call(form, contactForms);

  /** A button can have a URL of its own, or only close the dialog around the form. */
  const leadsElsewhere = (button) => button?.hasAttribute('formaction') || button?.formMethod === 'dialog';

  const isSending = (form) => stateOf(form).status.dataset.state === 'sending';

  const newElement = (tag, properties) => Object.assign(document.createElement(tag), properties);

  /** For Safari before 15.4, which does not say which button sends a form. Enter clicks the first one. */
  function rememberButton(event) {
    pressed = event.composedPath().find(({ type }) => type === 'submit' || type === 'image');
  }

  function submitterOf({ submitter, target }) {
    if (submitter !== undefined) return submitter;
    return pressed?.form === target ? pressed : null;
  }

  function newState(form) {
    const status = newElement('div', { dir: 'auto', tabIndex: -1 });
    status.setAttribute('role', 'status');
    return { status, errors: new Map(), wasChecked: !own(form, 'noValidate') };
  }

  function stateOf(form) {
    const state = states.get(form) ?? newState(form);
    states.set(form, state);
    // It stands in the form before it has text, since screen readers announce only changes.
    if (state.status.closest('form') !== form) own(form, 'append').call(form, state.status);
    return state;
  }

  /** Prepares a form as soon as the visitor touches it. */
  function prepare(element) {
    const form = element.form ?? element.closest?.('form');
    if (!isContactForm(form)) return;
    const state = stateOf(form);
    // The browser would check before `submit`, and show one error at a time.
    Reflect.set(HTMLFormElement.prototype, 'noValidate', true, form);
    if (element !== state.status && !state.nextKey) state.nextKey = newKey(form);
  }

  /** Also before another script sends the form: without this script, the browser would have stopped it. */
  function checkInsteadOfBrowser(event) {
    const form = event.target;
    const submitter = submitterOf(event);
    const isChecked = states.get(form)?.wasChecked && !submitter?.formNoValidate && !leadsElsewhere(submitter);
    if (event.defaultPrevented || !isChecked || isSending(form) || check(form)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  const controlsOf = (form) => [...own(form, 'elements')];

  /** Shows the errors that the browser finds. Returns whether there are none. */
  function check(form) {
    for (const field of [...stateOf(form).errors.keys()]) removeError(form, field);
    // Unlike `validity`, this fires `invalid`, on which scripts of the page may rely.
    const invalid = controlsOf(form).filter((control) => control.willValidate && !control.checkValidity());
    if (invalid.length > 0) refuse(form, invalid.map(errorOf), true);
    else say(form, '', []);
    return invalid.length === 0;
  }

  function send(form, submitter) {
    if (!check(form)) return;

    const entries = [...new FormData(form)];
    // The coordinates of an image button are not content.
    if (submitter?.name && submitter.type !== 'image') entries.push([submitter.name, submitter.value]);
    if (entries.some(([, value]) => value.name)) return say(form, 'failed', [texts[415]]);
    // Without the entries of empty file inputs.
    const data = new URLSearchParams(entries.filter(([, value]) => typeof value === 'string'));
    if (own(form, 'dataset').utm !== undefined) addUtm(data);
    // A captcha takes a moment. Without its response, the service would mark the message as spam.
    const responses = captchaFields.flatMap((name) => data.getAll(name));
    if (responses.length > 0 && responses.join('') === '') return say(form, 'failed', [texts.captcha]);

    say(form, 'sending', [texts.sending]);
    const focused = document.activeElement;
    const sent = new Map(controlsOf(form).map((control) => [control, entryOf(control)]));
    const show = (result) => {
      resetCaptchas(data);
      if (submitter) submitter.disabled = false; // Other scripts disable it, and expect another page.
      const changed = controlsOf(form).filter((control) => entryOf(control) !== sent.get(control));
      // A visitor who has gone on typing keeps the focus.
      showResult(form, result, changed, document.activeElement === focused && !changed.includes(focused));
    };
    // The last step: once the request has left, no error may make the browser send the form again.
    post(form, data).then(show, () => {
      stateOf(form).key.time = 0; // The next try needs another proof.
      say(form, 'failed', [texts[500]]);
    });
  }

  function showResult(form, { arrived, text, errors }, changed, movesFocus) {
    const state = stateOf(form);
    say(form, arrived ? 'arrived' : 'failed', [text]);
    if (errors?.length > 0) refuse(form, errors, movesFocus);
    if (!arrived) return;
    state.content = undefined;
    reset(form, changed);
    if (movesFocus) state.status.focus();
  }

  /** With <form data-utm>, adds what the page's URL says of the campaign, unless the form says it. */
  function addUtm(data) {
    const search = new URLSearchParams(location.search);
    for (const name of ['utm_source', 'utm_medium', 'utm_campaign']) {
      const value = search.get(name) ?? arrivedWith.get(name) ?? '';
      const isGiven = data.getAll(name).join('').trim() !== '';
      // The visitor could not correct a value that the service refuses.
      if (!isGiven && /^\P{Cc}{1,200}$/u.test(value)) data.set(name, value);
    }
  }

  /** What the visitor has entered. */
  const entryOf = ({ value, checked, selectedOptions }) =>
    JSON.stringify([value, checked, Array.from(selectedOptions ?? [], (option) => option.value)]);

  /** Empties a form, apart from what the visitor has changed since it was sent. */
  function reset(form, changed) {
    // Controls that belong to no form keep their values in a reset, and the cursor stays where it is.
    const owners = new Map(changed.map((control) => [control, control.getAttribute('form')]));
    for (const control of changed) control.setAttribute('form', '');
    own(form, 'reset').call(form);
    for (const [control, owner] of owners) {
      if (owner === null) control.removeAttribute('form');
      else control.setAttribute('form', owner);
    }
  }

  function say(form, state, lines) {
    const { status } = stateOf(form);
    status.dataset.state = state;
    status.replaceChildren(...lines.map((textContent) => newElement('p', { textContent })));
  }

  /** Shows errors below their fields, or at the end of the form if the visitor does not see such a field. */
  function refuse(form, errors, movesFocus) {
    const others = errors.filter((error) => !showBelowField(form, error));
    const hasName = ({ field }) => typeof field === 'string';
    const lines = others.map((error) =>
      isAboutBody(error) || !hasName(error) ? error.words : `${error.field}: ${error.words}`,
    );
    say(form, 'failed', [...new Set([texts.mistakes, ...lines])]);
    const firstInvalid = controlsOf(form).find((control) => control.getAttribute('aria-invalid') === 'true');
    if (movesFocus) firstInvalid?.focus();
  }

  /** Whether an error concerns the body as a whole. A field of the form can have the name `body`, too. */
  const isAboutBody = ({ field, code }) =>
    field === 'body' && /^(too_many|too_large|malformed_\w+|invalid_name|not_an_object|encoded_part)$/.test(code);

  function showBelowField(form, error) {
    const controls = controlsOf(form).filter((it) => fieldOf(it) === error.field && it.getClientRects().length > 0);
    if (controls.length === 0 || isAboutBody(error)) return false;
    removeError(form, error.field);
    const id = `error-${Math.random()}`;
    const note = newElement('div', { className: 'error', id, textContent: error.words });
    for (const control of controls) {
      control.setAttribute('aria-invalid', 'true');
      control.setAttribute('aria-describedby', `${control.getAttribute('aria-describedby') ?? ''} ${id}`.trim());
    }
    const last = controls[controls.length - 1];
    const aroundOrBelow = Node.DOCUMENT_POSITION_CONTAINS | Node.DOCUMENT_POSITION_FOLLOWING;
    const label = [...(last.labels ?? [])].find((it) => last.compareDocumentPosition(it) & aroundOrBelow);
    (label ?? last).after(note);
    stateOf(form).errors.set(error.field, { note, controls });
    return true;
  }

  function removeError(form, field) {
    const { errors } = stateOf(form);
    if (!errors.has(field)) return;
    const { note, controls } = errors.get(field);
    errors.delete(field);
    note.remove();
    for (const control of controls) {
      control.removeAttribute('aria-invalid');
      const others = control.getAttribute('aria-describedby')?.replace(note.id, '').trim();
      control.setAttribute('aria-describedby', others ?? '');
    }
  }

  /** While a visitor corrects a field, its error says what the browser still finds, and goes if that is nothing. */
  function updateError(control) {
    const { form } = control;
    const error = states.get(form)?.errors.get(fieldOf(control));
    if (!error) return;
    const invalid = error.controls.find(isInvalid);
    if (invalid) error.note.textContent = errorOf(invalid).words;
    else removeError(form, fieldOf(control));
  }

  const ownTextOf = (code, limit) => texts[code]?.replace('{limit}', limit);
  /** The name of a control. One without a name is not sent, but can be required. */
  const fieldOf = (control) => control.name || control;

  const isInvalid = (control) => control.willValidate && !control.validity.valid;

  /** What the browser finds, with the service's code if there is one. What the page's own script finds has none. */
  function errorOf(control) {
    const { type, validity, maxLength, validationMessage } = control;
    let code;
    if (validity.valueMissing) code = 'required';
    else if (validity.tooLong) code = 'too_long';
    else if (type === 'email' && validity.typeMismatch) code = 'invalid_email';
    else if (type === 'tel' && validity.patternMismatch) code = 'invalid_phone';
    if (validity.customError) code = undefined;
    return { field: fieldOf(control), code, words: ownTextOf(code, maxLength) ?? validationMessage };
  }

  /** Sends the data at once or, if the form needs a proof of work, as soon as that is found. */
  function post(form, data) {
    const { id, proof } = keyOf(form, data);
    data.set('idempotency-key', id);
    const url = own(form, 'getAttribute').call(form, 'action');
    const sendData = () => {
      const timeout = new AbortController();
      const request = { method: 'POST', ...bodyOf(form, data), signal: timeout.signal };
      setTimeout(() => timeout.abort(), 30_000);
      return fetch(url, request).then(readResponse, () => ({ text: texts.unreachable }));
    };
    if (!proof) return sendData();
    return proof.then((found) => {
      data.set('_proof', found);
      return sendData();
    });
  }

  async function readResponse(response) {
    if (response.ok) return { arrived: true, text: texts.arrived };
    const seconds = Number(response.headers.get('Retry-After')) || 60;
    const when = new Intl.RelativeTimeFormat(texts.language).format(seconds, 'second');
    const text = (texts[response.status] ?? texts[500]).replace('{when}', when);
    const body = await response.json().catch(() => null); // A proxy can respond with HTML.
    // The service's own text for `required` can ask for an email address or a phone number.
    const wordsOf = ({ code, limit, message }) => (code === 'required' ? message : (ownTextOf(code, limit) ?? message));
    return { text, errors: body?.details?.map((error) => ({ ...error, words: wordsOf(error) })) };
  }

  /** Urlencoded data needs no preflight. <form data-send="json"> sends JSON, with a list for repeated names. */
  function bodyOf(form, data) {
    if (own(form, 'dataset').send !== 'json') return { body: data };
    const oneOrAll = (values) => (values.length > 1 ? values : values[0]);
    const fields = [...data.keys()].map((name) => [name, oneOrAll(data.getAll(name))]);
    return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(Object.fromEntries(fields)) };
  }

  /** The fields of captchas, and their widgets. */
  const captchas = {
    'cf-turnstile-response': 'turnstile',
    'h-captcha-response': 'hcaptcha',
    'g-recaptcha-response': 'grecaptcha',
  };
  const captchaFields = Object.keys(captchas);

  function resetCaptchas(data) {
    for (const [field, widget] of Object.entries(captchas)) {
      try {
        if (data.has(field)) globalThis[widget]?.reset();
      } catch {} // hCaptcha adds reCAPTCHA's field, too, and reCAPTCHA throws if it has no widget on the page.
    }
  }

  /** The key of what is sent. The same content keeps its key, so the service stores it once. */
  function keyOf(form, data) {
    const state = stateOf(form);
    // A captcha's response is valid once, so it is not content.
    const content = JSON.stringify([...data].filter(([name]) => !captchaFields.includes(name)));
    if (content !== state.content) {
      state.key = state.nextKey ?? newKey(form);
      state.nextKey = undefined;
      state.content = content;
    }
    // The service accepts a proof for a day. An hour leaves room for a wrong clock.
    if (Math.abs(Date.now() - state.key.time) > 3_600_000) state.key = newKey(form, state.key.id);
    return state.key;
  }

  /** How many zero bits <form data-proof="17"> demands. The service asks for 24 at most. */
  const bitsOf = (form) => Math.min(own(form, 'dataset').proof ?? 0, 24);

  /** With <form data-proof="17">, a key comes with the search for its proof of work, of 17 bits. */
  function newKey(form, id = crypto.getRandomValues(new Uint32Array(4)).join('-')) {
    const time = Date.now();
    const minute = Math.floor(time / 60_000);
    const bits = bitsOf(form);
    return { id, time, proof: bits > 0 ? findProof(`${self.origin} ${id} `, `${minute}.`, bits) : undefined };
  }

  /** Adds digits to a proof until the SHA-256 of start and proof begins with so many zero bits. */
  async function findProof(start, proof, bits) {
    // The last ten digits count. Zeros before them bring these ten and the padding of 9 bytes into the same block of 64.
    let length = start.length + proof.length + 10;
    while ((length - 10) >> 6 !== (length + 8) >> 6) length += 1;
    const lastBlock = (length >> 6) << 6;
    const bytes = new Uint8Array(lastBlock + 64);
    new TextEncoder().encodeInto((start + proof).padEnd(length, '0'), bytes);
    bytes[length] = 0x80;
    const view = new DataView(bytes.buffer);
    view.setUint32(lastBlock + 60, length * 8);
    let state = firstState;
    for (let at = 0; at < lastBlock; at += 64) state = addBlock(state, view, at);

    const slice = 8; // Milliseconds: too few to notice.
    let end = performance.now() + slice;
    for (let tries = 1; Math.clz32(addBlock(state, view, lastBlock)[0]) < bits; tries += 1) {
      for (let at = length - 1; ++bytes[at] > 57; at -= 1) bytes[at] = 48; // The codes of 9 and 0.
      if (tries % 10 > 0 || performance.now() < end) continue;
      await pause();
      end = performance.now() + slice;
    }
    return new TextDecoder().decode(bytes.subarray(start.length, length));
  }

  /** Lets the browser handle input and draw. A timer would take 4 ms, or a second in a hidden tab. */
  const pause = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(port1.close());
      port2.postMessage('');
    });

  // SHA-256 as in FIPS 180-4. The browser's own is asynchronous, which makes it ten times as slow for short texts.
  const primes = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);
  const fraction = (root) => ((root % 1) * 2 ** 32) | 0;
  const firstState = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  const constants = primes.map((prime) => fraction(Math.cbrt(prime)));
  const schedule = new Int32Array(64);
  const rotate = (x, bits) => (x >>> bits) | (x << (32 - bits));

  function addBlock(state, view, start) {
    for (let i = 0; i < 16; i += 1) schedule[i] = view.getInt32(start + 4 * i);
    for (let i = 16; i < 64; i += 1) {
      const x = schedule[i - 15];
      const y = schedule[i - 2];
      const mixed = (rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3)) + (rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10));
      schedule[i] = schedule[i - 16] + schedule[i - 7] + mixed;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i += 1) {
      const mixedE = (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g));
      const mixedA = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      const added = (h + mixedE + constants[i] + schedule[i]) | 0;
      [a, b, c, d, e, f, g, h] = [(added + mixedA) | 0, a, b, c, (d + added) | 0, e, f, g];
    }
    return [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]) | 0);
  }
})();
