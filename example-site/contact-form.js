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
    const errors = controlsOf(form).flatMap((control) => {
      const isInvalid = control.willValidate && !control.checkValidity();
      return isInvalid ? errorOf(control) : errorsOfFiles(control);
    });
    if (errors.length > 0) refuse(form, errors, true);
    else say(form, '', []);
    return errors.length === 0;
  }

  function send(form, submitter) {
    if (!check(form)) return;

    const entries = [...new FormData(form)];
    // The coordinates of an image button are not content.
    if (submitter?.name && submitter.type !== 'image') entries.push([submitter.name, submitter.value]);
    const files = entries.filter(([, value]) => value.name); // Without the entries of empty file inputs.
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
    post(form, data, files).then(show, () => {
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
  const entryOf = ({ value, checked, selectedOptions, files }) =>
    JSON.stringify([value, checked, Array.from(selectedOptions ?? [], (option) => option.value), stampsOf(files)]);

  /** What tells a file from another one of the same name. */
  const stampOf = ({ name, size, lastModified }) => [name, size, lastModified];
  const stampsOf = (files) => Array.from(files ?? [], stampOf);

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

  const labelsOf = (control) => [...(control.labels ?? [])];
  const isSeen = (element) => element.getClientRects().length > 0;

  function showBelowField(form, error) {
    // Pages hide a file input, and let visitors press its label.
    const controls = controlsOf(form).filter((it) => fieldOf(it) === error.field && [it, ...labelsOf(it)].some(isSeen));
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
    const label = labelsOf(last).find((it) => last.compareDocumentPosition(it) & aroundOrBelow);
    (label ?? [last, ...labelsOf(last)].find(isSeen)).after(note);
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
    const [remaining] = error.controls.flatMap((each) => (isInvalid(each) ? errorOf(each) : errorsOfFiles(each)));
    if (remaining) error.note.textContent = remaining.words;
    else removeError(form, fieldOf(control));
  }

  /** A text with its values filled in, if there is one. */
  const ownTextOf = (code, values) => texts[code]?.replace(/\{(\w+)\}/g, (_, name) => values[name]);
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
    return { field: fieldOf(control), code, words: ownTextOf(code, { limit: maxLength }) ?? validationMessage };
  }

  /** What is wrong with the files of an input, apart from the size of all files together. */
  function errorsOfFiles(control) {
    const { willValidate, accept, dataset } = control;
    const files = willValidate ? [...(control.files ?? [])] : [];
    const errorsOf = (code, values) => [errorOfFiles(fieldOf(control), code, values)];
    if (files.length > dataset.maxFiles) return errorsOf('too_many_files', { limit: dataset.maxFiles });
    if (files.some(({ size }) => size === 0)) return errorsOf('empty_file');
    const list = (accept ?? '').toLowerCase().split(',');
    const types = list.map((type) => type.trim()).filter((type) => type !== '');
    if (types.length === 0 || files.every((file) => types.some((type) => isOfType(file, type)))) return [];
    // Such as "PDF, DOCX" for ".pdf, .docx", and "IMAGE" for "image/*".
    const names = types.map((type) => type.replace(/^\.|^.*\/(?!\*)|\/\*$/g, '').toUpperCase());
    return errorsOf('file_type', { types: [...new Set(names)].join(', ') });
  }

  /** Texts that were copied from an earlier version say nothing about files. */
  const errorOfFiles = (field, code, values) => ({ field, code, words: ownTextOf(code, values) ?? texts.mistakes });

  /** As browsers read `accept`. Only the service can judge what the visitor's system knows no type for. */
  function isOfType({ name, type }, accepted) {
    if (accepted.startsWith('.')) return name.toLowerCase().endsWith(accepted);
    return type === '' || type === accepted || (accepted.endsWith('/*') && type.startsWith(accepted.slice(0, -1)));
  }

  /** Sends the data at once or, if the form needs a proof of work, as soon as that is found. */
  function post(form, data, files) {
    const { id, proof } = keyOf(form, data, files);
    data.set('idempotency-key', id);
    if (files.length > 0) return postFiles(form, data, files, proof);
    const url = urlOf(form);
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

  const urlOf = (form) => own(form, 'getAttribute').call(form, 'action');

  /** As much as the service takes at once. */
  const maxBytes = 4_400_000;
  const megabytes = (bytes) => (Math.ceil(bytes / 100_000) / 10).toLocaleString(texts.language);

  async function postFiles(form, data, files, proof) {
    const state = stateOf(form);
    // A retry sends the same bytes, as its key demands.
    state.files = state.files ?? shrinkPictures(form, files);
    const parts = [...data, ...(await state.files)];
    // With room for the lines around each part, and for the proof of work.
    const sizes = parts.map(([name, value]) => new Blob([name, value.name ?? '', value]).size + 300);
    const sent = sizes.reduce((sum, size) => sum + size, 300);
    if (sent > maxBytes) {
      const [largest] = parts[sizes.indexOf(Math.max(...sizes))];
      const values = { limit: megabytes(maxBytes), sent: megabytes(sent) };
      return { text: texts.mistakes, errors: [errorOfFiles(largest, 'files_too_large', values)] };
    }
    const body = new FormData();
    for (const [name, value] of parts) body.append(name, value);
    if (proof) body.set('_proof', await proof);
    return upload(form, body, files);
  }

  /** Shows how much of the files has left, which `fetch` does not tell. */
  function upload(form, body, files) {
    const request = new XMLHttpRequest();
    const words = document.createTextNode('');
    const progress = newElement('progress', { value: 0 });
    // Not within the status, since screen readers would announce each percent.
    const label = newElement('label', { dir: 'auto' });
    label.append(words, progress);
    const percent = new Intl.NumberFormat(texts.language, { style: 'percent' });
    let timeout;
    const waitOn = () => {
      clearTimeout(timeout);
      timeout = setTimeout(() => request.abort(), 30_000);
    };
    const show = (part) => {
      progress.value = part;
      words.data = ownTextOf('uploading', { percent: percent.format(part) }) ?? '';
      waitOn();
    };
    return new Promise((resolve) => {
      request.upload.onprogress = ({ loaded, total }) => show(loaded / total);
      request.upload.onloadend = () => label.remove();
      request.onload = () => {
        const { status, responseText } = request;
        const lines = request.getAllResponseHeaders().split('\r\n');
        const headers = lines.filter((line) => line !== '').map((line) => line.split(/: ?(.*)/, 2));
        resolve(readResponse(new Response(responseText, { status, headers }), files));
      };
      // Also after an error, an end by this script, and a status that no response can have.
      request.onloadend = () => {
        clearTimeout(timeout);
        label.remove();
        resolve({ text: texts.unreachable });
      };
      request.open('POST', urlOf(form));
      request.send(body);
      show(0);
      stateOf(form).status.after(label);
    });
  }

  /** <input type="file" data-shrink="1600"> scales pictures to 1600 pixels, and without a number to 2000. */
  async function shrinkPictures(form, files) {
    const ready = [];
    // One after the other, since phones have little memory.
    for (const [field, file] of files) {
      const input = controlsOf(form).find(({ type, name }) => type === 'file' && name === field);
      const { shrink } = input?.dataset ?? {};
      const small = shrink === undefined ? file : await shrunk(file, Number(shrink) || 2000).catch(() => file);
      ready.push([field, small.size < file.size ? small : file]);
    }
    return ready;
  }

  /** The types of pictures that can be scaled, by which is sent. A GIF would lose its movement. */
  const scaledTypes = {
    'image/jpeg': 'image/jpeg',
    'image/png': 'image/png',
    'image/webp': 'image/webp',
    'image/heic': 'image/jpeg',
    'image/heif': 'image/jpeg',
  };

  /** Without what the camera has noted, such as the place. Fails if the browser cannot read the picture. */
  async function shrunk(file, maxEdge) {
    const type = scaledTypes[file.type];
    if (type === undefined) return file;
    let turns = false;
    const picture = await createImageBitmap(file, {
      // A browser that does not read this would send the picture lying on its side.
      get imageOrientation() {
        turns = true;
        return 'from-image';
      },
    });
    const scale = Math.min(1, maxEdge / Math.max(picture.width, picture.height));
    const sizeOf = (edge) => Math.max(1, Math.round(edge * scale));
    const canvas = newElement('canvas', { width: sizeOf(picture.width), height: sizeOf(picture.height) });
    const context = canvas.getContext('2d');
    if (!turns || !isReadable(context)) return file;
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, type, 0.85));
    // Browsers that cannot write a type write PNG.
    const extension = blob.type.replace('image/', '.').replace('jpeg', 'jpg');
    const name = blob.type === file.type ? file.name : file.name.replace(/(\.\w+)?$/, extension);
    return new File([blob], name, { type: blob.type });
  }

  /** Against tracking, some browsers let scripts read noise in place of what they have drawn. */
  function isReadable(context) {
    context.fillStyle = '#369';
    context.fillRect(0, 0, 1, 1);
    const { data } = context.getImageData(0, 0, 1, 1);
    context.clearRect(0, 0, 1, 1);
    return data.join() === '51,102,153,255';
  }

  async function readResponse(response, files = []) {
    if (response.ok) return { arrived: true, text: texts.arrived };
    const seconds = Number(response.headers.get('Retry-After')) || 60;
    const when = new Intl.RelativeTimeFormat(texts.language).format(seconds, 'second');
    const text = (texts[response.status] ?? texts[500]).replace('{when}', when);
    const body = await response.json().catch(() => null); // A proxy can respond with HTML.
    const wordsOf = ({ code, limit, sent, message }) => {
      // The service's own text says which of several fields to fill in, and which types it accepts.
      if (code === 'required' || code === 'file_type') return message;
      const values = sent === undefined ? { limit } : { limit: megabytes(limit), sent: megabytes(sent) };
      return ownTextOf(code, values) ?? message;
    };
    const errors = body?.details?.map((error) => ({ ...error, words: wordsOf(error) }));
    // The form does not accept files, or not even the size of its body.
    const takesNone = !errors && [413, 415].includes(response.status);
    if (takesNone) return { text, errors: files.map(([field]) => ({ field, words: texts[415] })) };
    return { text, errors };
  }

  /** Urlencoded data needs no preflight. <form data-send="json"> sends JSON, with a list for repeated names, unless there are files. */
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
  function keyOf(form, data, files) {
    const state = stateOf(form);
    // A captcha's response is valid once, so it is not content.
    const fields = [...data].filter(([name]) => !captchaFields.includes(name));
    const content = JSON.stringify([...fields, ...files.map(([name, file]) => [name, stampOf(file)])]);
    if (content !== state.content) {
      state.key = state.nextKey ?? newKey(form);
      state.nextKey = undefined;
      state.files = undefined;
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
