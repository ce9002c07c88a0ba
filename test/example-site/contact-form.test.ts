import { readFileSync } from 'node:fs';
import { type TransformOptions, transform } from 'esbuild';
import { expect, test } from 'vitest';
import { errorCodes, isOfBody } from '../../functions/http/errors.ts';

const script = readFileSync('example-site/contact-form.js', 'utf8');

const compile = async (options: TransformOptions) => (await transform(script, { charset: 'utf8', ...options })).code;

/** The oldest browsers for which contact-form.js works. */
const oldest = ['safari14.1', 'chrome87', 'firefox78'];

test('docs/forms.md names the oldest browsers of contact-form.js', () => {
  const [, safari, chrome, firefox] =
    /Safari from ([\d.]+), Chrome and Edge from (\d+),\s+and Firefox\s+from\s+(\d+)/.exec(
      readFileSync('docs/forms.md', 'utf8'),
    ) ?? [];
  expect([`safari${safari}`, `chrome${chrome}`, `firefox${firefox}`]).toEqual(oldest);
});

test('contact-form.js has no syntax that its oldest browsers lack', async () => {
  const compiled = await compile({
    target: oldest,
    supported: {
      // Chrome 80 has it. Until 91, it failed only for calls with `...` before the last argument.
      'optional-chain': true,
      // These browsers have the general categories of Unicode. Only later versions know every script.
      'regexp-unicode-property-escapes': true,
    },
  });
  expect(compiled).toBe(await compile({ target: 'esnext' }));
});

const keywords = 'async await catch const for function instanceof let new null return throw try typeof void'.split(' ');

/** What the script names itself, in its objects and in the page, and what the service sends. */
const ownNames =
  `arrived captcha code content controls details empty_file errors field file_type files_too_large hasContactFormScript
  id key limit maxFiles message mistakes nextKey note percent proof sending sent shrink status text time too_many_files
  types unreachable uploading utm wasChecked words`.split(/\s+/);

/** What all of the oldest browsers have: https://developer.mozilla.org/docs/Web/API says since when. */
const known = `AbortController Array Blob DOCUMENT_POSITION_CONTAINS DOCUMENT_POSITION_FOLLOWING DataView Date File
  FormData HTMLFormElement Int32Array Intl JSON Map Math MessageChannel Node Number NumberFormat Object Promise
  Reflect RelativeTimeFormat Response Set TextDecoder TextEncoder URLSearchParams Uint32Array Uint8Array WeakMap
  XMLHttpRequest abort abs accept activeElement addEventListener after append assign body buffer call cbrt ceil
  checkValidity checked className clearRect clearTimeout close closest clz32 compareDocumentPosition composedPath
  createElement createTextNode crypto customError data dataset decode defaultPrevented delete dir disabled document
  drawImage elements encodeInto endsWith entries error every fetch files fillRect fillStyle filter find flatMap floor
  focus form formMethod formNoValidate format from fromEntries get getAll getAllResponseHeaders getAttribute
  getClientRects getContext getImageData getInt32 getRandomValues globalThis has hasAttribute headers height includes
  indexOf join json keys labels language lastModified length loaded location map matches max maxLength method min name
  noValidate now ok onload onloadend onmessage onprogress open origin padEnd patternMismatch performance port1 port2
  postMessage preventDefault prototype push random reduce remove removeAttribute replace replaceChildren reset
  responseText round search selectedOptions self send set setAttribute setTimeout setUint32 signal size slice some
  split sqrt startsWith state stopImmediatePropagation stringify style subarray tabIndex target test textContent then
  toBlob toLocaleString toLowerCase toUpperCase tooLong total trim type typeMismatch upload valid validationMessage
  validity value valueMissing width willValidate`.split(/\s+/);

/**
 * What the script does without: Safari says since 15.4 which button sends a form, and a browser that cannot turn a picture as
 * the camera was held sends the picture as it is.
 */
const optional = ['submitter', 'createImageBitmap', 'imageOrientation', 'imageSmoothingQuality'];

test('contact-form.js uses nothing that its oldest browsers lack', async () => {
  // Esbuild shortens the names of variables, so what is longer belongs to the browser or to an object.
  const code = (await compile({ minify: true })).replaceAll(/(["'])(?:\\.|(?!\1).)*\1|\/\^.*?\$\//g, '');
  const names = [...code.matchAll(/(?<=[^.]\.)[a-z]\w*|\b[a-z]\w{2,}/gi)].map(([name]) => name);
  const hidden = [...script.matchAll(/\bown\(\w+, '(\w+)'\)/g)].map(([, name = '']) => name);
  const allowed = [...keywords, ...ownNames, ...known, ...optional];
  // Look up a new name: if Safari 14.1, Chrome 87 and Firefox 78 have it, add it to those that are known.
  expect([...new Set([...names, ...hidden])].filter((name) => !allowed.includes(name))).toEqual([]);
});

test('contact-form.js knows which codes concern the body as a whole', () => {
  const [, pattern] = /field === 'body' && \/(.+)\/\.test\(code\)/.exec(script) ?? expect.fail('no such line');
  const known = new RegExp(String(pattern));
  const codes = errorCodes.filter((code) => isOfBody({ field: 'body', code }));
  expect(errorCodes.filter((code) => known.test(code))).toStrictEqual(codes);
});
