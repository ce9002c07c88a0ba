/** What a visitor reads when the service refuses the form as a whole or is away, by status code. */
const explanations = {
  403: 'The service refused this message. Please contact us in another way.',
  413: 'Your message is too long. Please shorten it and send it again.',
  415: 'Only text can be sent here. Please send your message without files.',
  429: 'Too many messages are arriving right now. Please wait a moment, then send yours again.',
  500: 'Something went wrong on our side. Please send your message again later.',
  503: 'The service is away for a moment. Please send your message again in a minute.',
};
const unreachable = 'The service could not be reached. Please check your connection, then send your message again.';

/**
 * Sends a form with fetch, and shows in it what became of that.
 * @param {HTMLFormElement} form
 * @param {(data: FormData) => RequestInit} encode makes the request's body, and the headers that belong to it
 */
export function sendWithFetch(form, encode) {
  const button = form.querySelector('button');
  const alert = form.querySelector('[role=alert]');
  const status = form.querySelector('[role=status]');
  let attempt = {};

  form.noValidate = true; // The service names every mistake at once, the browser only the first.
  button.disabled = false; // Firefox can bring a page back with the button as it was left.

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    clear();
    status.textContent = 'Sending…';

    const data = new FormData(form);
    const content = new URLSearchParams(data).toString();
    // A key for each content: sent again after a lost answer it is stored once, and a changed text is not refused.
    if (content !== attempt.content) attempt = { content, key: crypto.randomUUID() };

    try {
      const signal = AbortSignal.timeout(30_000);
      const request = new Request(form.action, { method: 'POST', ...encode(data), signal });
      request.headers.set('Idempotency-Key', attempt.key);
      const response = await fetch(request);
      if (response.ok) return succeed();
      const answer = await response.json().catch(() => null); // Whatever stands in between may answer in HTML.
      fail(explanations[response.status] ?? explanations[500], answer?.details);
    } catch {
      fail(unreachable);
    }
  });

  function clear() {
    for (const text of [alert, status, ...form.querySelectorAll('.error')]) text.textContent = '';
    for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
  }

  function succeed() {
    attempt = {};
    form.reset();
    button.disabled = false;
    status.textContent = 'Thank you. Your message has arrived.';
    status.focus();
  }

  function fail(explanation, details = []) {
    status.textContent = '';
    const lines = [details.length > 0 ? 'Please correct the mistakes, then send your message again.' : explanation];
    for (const { field, message } of details) {
      const error = form.querySelector(`#${CSS.escape(field)}-error`);
      if (error) error.textContent = message;
      else lines.push(`${field}: ${message}`);
      if (error) form.elements[field].setAttribute('aria-invalid', 'true');
    }
    alert.textContent = lines.join('\n');
    alert.scrollIntoView({ block: 'nearest' });
    button.disabled = false;
    (form.querySelector('[aria-invalid]') ?? button).focus();
  }
}
