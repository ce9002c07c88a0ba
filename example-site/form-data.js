import { sendWithFetch } from './contact-form.js';

// No Content-Type here: the browser sets it, with the boundary that it chose.
sendWithFetch(document.querySelector('form'), (data) => ({ body: data }));
