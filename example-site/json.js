import { sendWithFetch } from './contact-form.js';

sendWithFetch(document.querySelector('form'), (data) => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(Object.fromEntries(data)),
}));
