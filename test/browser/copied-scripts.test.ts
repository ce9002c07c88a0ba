import { randomUUID } from 'node:crypto';
import { expect, inject } from 'vitest';
import { storedBy } from './form-page.ts';
import { test } from './visitor.ts';

const service = inject('service');

/** The texts that a visitor sees. `{message}` is the message that the visitor typed. */
interface Shown {
  readonly stored: string;
  readonly refused: string;
}

interface CopiedScript extends Shown {
  /** As another service documents it, with the URL of ours. */
  readonly script: string;
  /** A change of one line, and what the visitor sees then. */
  readonly change?: Shown & { readonly from: string; readonly to: string };
}

const notSent = 'Your message was not sent.';
/** The page's text before the script changes it. */
const nothing = 'Nothing yet';

const scripts: Readonly<Record<string, CopiedScript>> = {
  'Formspree (fetch)': {
    script: `
      const form = document.getElementById('form');
      const status = document.getElementById('result');
      const handleSubmit = async (event) => {
        event.preventDefault();
        const data = new FormData(event.target);
        fetch(event.target.action, { method: form.method, body: data, headers: { Accept: 'application/json' } })
          .then((response) => {
            if (response.ok) {
              status.innerHTML = 'Thanks for your submission!';
              form.reset();
            } else {
              response.json().then((data) => {
                if (Object.hasOwn(data, 'errors')) {
                  status.innerHTML = data['errors'].map((error) => error['message']).join(', ');
                } else {
                  status.innerHTML = 'Oops! There was a problem submitting your form';
                }
              });
            }
          })
          .catch((error) => {
            status.innerHTML = 'Oops! There was a problem submitting your form';
          });
      };
      form.addEventListener('submit', handleSubmit);`,
    stored: 'Thanks for your submission!',
    refused: 'Oops! There was a problem submitting your form',
  },
  'Netlify Forms (fetch)': {
    script: `
      const handleSubmit = (event) => {
        event.preventDefault();
        const myForm = event.target;
        const formData = new FormData(myForm);
        fetch(myForm.action, {
          method: 'POST',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(formData).toString(),
        })
          .then(() => alert('Thank you for your submission'))
          .catch((error) => alert(error));
      };
      document.querySelector('form').addEventListener('submit', handleSubmit);`,
    stored: 'Thank you for your submission',
    refused: 'Thank you for your submission',
    change: {
      from: `.then(() => alert('Thank you for your submission'))`,
      to: `.then(({ ok }) => alert(ok ? 'Thank you for your submission' : '${notSent}'))`,
      stored: 'Thank you for your submission',
      refused: notSent,
    },
  },
  'Web3Forms (fetch)': {
    script: `
      const form = document.getElementById('form');
      const result = document.getElementById('result');
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        const json = JSON.stringify(Object.fromEntries(new FormData(form)));
        result.innerHTML = 'Please wait...';
        fetch(form.action, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
          body: json,
        })
          .then(async (response) => {
            let json = await response.json();
            if (response.status == 200) {
              result.innerHTML = json.message;
            } else {
              console.log(response);
              result.innerHTML = json.message;
            }
          })
          .catch((error) => {
            result.innerHTML = 'Something went wrong!';
          })
          .then(() => form.reset());
      });`,
    stored: '{message}',
    refused: 'undefined',
    change: {
      from: 'let json = await response.json();',
      to: `let json = { message: response.ok ? 'Thank you.' : '${notSent}' };`,
      stored: 'Thank you.',
      refused: notSent,
    },
  },
  'Web3Forms (React)': {
    script: `
      const setResult = (text) => {
        document.getElementById('result').textContent = text;
      };
      const onSubmit = async (event) => {
        event.preventDefault();
        setResult('Sending....');
        const formData = new FormData(event.target);
        formData.append('access_key', 'YOUR_ACCESS_KEY_HERE');
        const response = await fetch(event.target.action, { method: 'POST', body: formData });
        const data = await response.json();
        if (data.success) {
          setResult('Form Submitted Successfully');
          event.target.reset();
        } else {
          console.log('Error', data);
          setResult(data.message);
        }
      };
      document.querySelector('form').addEventListener('submit', onSubmit);`,
    stored: 'Form Submitted Successfully',
    refused: '',
    change: {
      from: 'const data = await response.json();',
      to: `const data = { success: response.ok, message: '${notSent}' };`,
      stored: 'Form Submitted Successfully',
      refused: notSent,
    },
  },
  'Basin (XMLHttpRequest)': {
    script: `
      var form = document.getElementById('form');
      var formMessage = document.getElementById('result');
      form.onsubmit = function (event) {
        event.preventDefault();
        var formData = new FormData(form);
        var xhr = new XMLHttpRequest();
        xhr.open('POST', form.action, true);
        xhr.send(formData);
        xhr.onload = function () {
          if (xhr.status === 200) {
            formMessage.innerHTML = 'Success';
          } else {
            formMessage.innerHTML = 'Error: ' + JSON.parse(xhr.response).error;
          }
        };
      };`,
    stored: 'Error: undefined',
    refused: 'Error: Bad Request',
    change: {
      from: 'xhr.status === 200',
      to: 'xhr.status === 201',
      stored: 'Success',
      refused: 'Error: Bad Request',
    },
  },
  'FormSubmit (fetch)': {
    script: `
      const form = document.getElementById('form');
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        fetch(form.action, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
          body: JSON.stringify({ email: form.elements.email.value, message: form.elements.message.value }),
        })
          .then((response) => response.json())
          .then((data) => console.log(data))
          .catch((error) => console.log(error));
      });`,
    stored: nothing,
    refused: nothing,
    change: {
      from: '.then((data) => console.log(data))',
      to: `.then(({ id }) => alert(id ? 'Thank you.' : '${notSent}'))`,
      stored: 'Thank you.',
      refused: notSent,
    },
  },
  'Formcarry (fetch)': {
    script: `
      const setError = (text) => {
        document.getElementById('result').textContent = text;
      };
      const onSubmit = (event) => {
        event.preventDefault();
        const { email, message } = Object.fromEntries(new FormData(event.target));
        fetch(event.target.action, {
          method: 'POST',
          headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
          body: JSON.stringify({ email, message }),
        })
          .then((response) => response.json())
          .then((response) => {
            if (response.code === 200) {
              alert('We received your submission, thank you!');
            } else if (response.code === 422) {
              setError(response.message);
            } else {
              setError(response.message);
            }
          })
          .catch((error) => setError(error.message ? error.message : error));
      };
      document.querySelector('form').addEventListener('submit', onSubmit);`,
    stored: '{message}',
    refused: '',
    change: {
      from: '.then((response) => response.json())',
      to: `.then(({ ok }) => ({ code: ok ? 200 : 400, message: '${notSent}' }))`,
      stored: 'We received your submission, thank you!',
      refused: notSent,
    },
  },
};

const variants = Object.entries(scripts).flatMap(([name, { script, stored, refused, change }]) => [
  { name, script, stored, refused },
  ...(change ? [{ ...change, name: `${name}, changed`, script: script.replace(change.from, () => change.to) }] : []),
]);

test.for(variants)('a script made for $name', async ({ script, stored, refused }, { visit }) => {
  const message = randomUUID();
  const page = await visit(service, 'scripts.html');
  await page.addScriptTag({ content: script });
  const send = async (email: string) => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Message').fill(message);
    const responded = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Send' }).click();
    await responded;
  };
  const shown = () => expect.poll(() => page.locator('#result').textContent());

  await send('nobody');
  await shown().toBe(refused);
  await send('ada@example.com');
  await shown().toBe(stored.replace('{message}', message));
  expect(await storedBy(service, message)).toHaveLength(1);
});
