// Sends the contact forms of a page in place, and says in them what became of that. Copy it as it is, and name it in the
// page: <script type="module" src="contact-form.js"></script>. Without JavaScript they are plain forms.

/** What visitors read: put it into your site's language. A code of the service may be added, such as `invalid_phone`. */
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
  503: 'The service is away. Please send your message again {when}.',
};

for (const form of document.querySelectorAll('form[action$="/api/v1/contact"]')) {
  const controls = () => [...form.elements];
  const button = controls().find(({ type }) => type === 'submit');
  const errors = new Map(); // By the names of the fields that they stand beside.
  let attempt = {};
  // There before it says anything: assistive technology tells of what changes.
  const status = form.appendChild(Object.assign(document.createElement('p'), { role: 'status', tabIndex: -1 }));
  form.noValidate = true; // The browser would show one mistake at a time.
  button.disabled = false; // Firefox can bring a page back with its button as it was left.

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    for (const error of errors.values()) error.textContent = '';
    for (const control of controls()) control.ariaInvalid = null;
    const invalid = controls().filter(({ name, validity }) => name && validity?.valid === false);
    if (invalid.length > 0) return refuse(invalid.map((it) => ({ field: it.name, message: it.validationMessage })));
    const data = new FormData(form, event.submitter);
    const content = new URLSearchParams(data).toString();
    // A key for each content: sent again after its answer was lost, it is stored once.
    if (content !== attempt.content) attempt = { content, key: crypto.randomUUID() };
    data.set('idempotency-key', attempt.key);
    button.disabled = true;
    say('sending', texts.sending);
    const { arrived, text, details } = await post(form, data);
    button.disabled = false;
    if (details?.length > 0) return refuse(details);
    if (arrived) attempt = {};
    if (arrived) form.reset();
    say(arrived ? 'arrived' : 'failed', text);
    (arrived ? status : button).focus();
  });

  const say = (state, text) => Object.assign(status, { textContent: text }).setAttribute('data-state', state);

  const refuse = (details) => {
    say('failed', [texts.mistakes, ...details.flatMap(mark)].join('\n'));
    (controls().find(({ ariaInvalid }) => ariaInvalid) ?? button).focus();
  };

  const mark = ({ field, code, message }) => {
    const marked = controls().filter((it) => it.name === field && it.getClientRects().length > 0);
    if (marked.length === 0) return `${field === 'body' ? '' : `${field}: `}${texts[code] ?? message}`;
    if (!errors.has(field)) errors.set(field, describe(marked));
    for (const control of marked) control.ariaInvalid = 'true';
    errors.get(field).textContent = texts[code] ?? message;
    return [];
  };
}

/** Makes the place for a field's mistake: below its last control, or the label around (16) or after (2) that. */
function describe(marked) {
  const note = Object.assign(document.createElement('div'), { className: 'error', id: `error-${crypto.randomUUID()}` });
  const label = [...(marked.at(-1).labels ?? [])].at(-1);
  (label?.compareDocumentPosition(marked.at(-1)) & (16 | 2) ? label : marked.at(-1)).after(note);
  for (const it of marked)
    it.setAttribute('aria-describedby', [it.getAttribute('aria-describedby'), note.id].join(' '));
  return note;
}

async function post(form, data) {
  // FormData needs no preflight. <form data-send="json"> sends JSON, with a list for what came more than once.
  const json = { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(toObject(data)) };
  const request = { method: 'POST', ...(form.dataset.send === 'json' ? json : { body: data }) };
  try {
    const response = await fetch(form.getAttribute('action'), { ...request, signal: AbortSignal.timeout(30_000) });
    if (response.ok) return { arrived: true, text: texts.arrived };
    const answer = await response.json().catch(() => null); // Whatever stands in between may answer in HTML.
    const seconds = Number(response.headers.get('Retry-After')) || 60;
    const when = new Intl.RelativeTimeFormat(texts.language).format(seconds, 'second');
    return { text: (texts[response.status] ?? texts[500]).replace('{when}', when), details: answer?.details };
  } catch {
    return { text: texts.unreachable };
  }
}

function toObject(data) {
  const values = (name) => data.getAll(name).filter((value) => value.name !== ''); // No file input left empty.
  const field = (name) => [name, values(name).length > 1 ? values(name) : values(name)[0]];
  return Object.fromEntries([...data.keys()].map(field));
}
