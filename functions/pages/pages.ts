import { createHash } from 'node:crypto';
import { fieldNames } from '../contacts/contact.ts';
import { type ErrorDetail, type HttpError, isOfBody, messageOf } from '../http/errors.ts';
import { type HttpResponse, textResponse } from '../http/response.ts';
import { errorMessage, type Language, type PageTexts } from '../languages/language.ts';
import { labelOf, loadLanguage } from '../languages/load.ts';
import { escapeHtml } from '../shared/text.ts';
import type { Site } from './sites.ts';
import type { Visitor } from './visitor.ts';

const style = `:root{color-scheme:light dark;--ink:#1c2430;--paper:#fff;--rule:#dde2e9;--accent:#0b57d0;--on-accent:#fff;--good:#1b6b3a;--error:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e8ebf0;--paper:#14181f;--rule:#323a46;--accent:#9cc2ff;--on-accent:#0b1a33;--good:#7fd89c;--error:#ffb4ab}}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere;word-break:break-word}
main{max-width:34rem;margin:0 auto;padding:1.5rem 1.25rem}
@media (min-width:40rem) and (min-height:30rem){main{margin:4rem auto;padding:2rem;border:1px solid var(--rule);border-radius:.5rem}}
svg{display:block;width:2.5rem;height:2.5rem;fill:none;stroke:var(--good);stroke-width:2}
.error{stroke:var(--error)}
h1{margin:.75rem 0 0;font-size:1.5rem;line-height:2rem}
p{margin:.5rem 0 0}
dl+p,p>a{margin-top:1rem}
a{display:inline-block;padding:.625rem 1rem;border:1px solid transparent;border-radius:.5rem;background:var(--accent);color:var(--on-accent);font-weight:600;text-decoration:none}
a:hover{text-decoration:underline}
a:active{opacity:.8}
a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
dl{margin:1rem 0 0;border-inline-start:3px solid var(--error);padding-inline-start:1rem}
dt{font-weight:600;text-align:left}
[dir=rtl] dt{text-align:right}
dd{margin:0}
dd+dt{margin-top:.75rem}`;

/**
 * A page may load and run nothing but its own style sheet. It can stand in a frame, as its form can: it holds nothing to press but
 * a link.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Shapes in a circle that say at a glance what the heading says in words. */
const marks = { good: 'm6.5 12.5 4 4 7-8', error: 'M12 6v7.5m0 2.5v2' } as const;

interface Page {
  readonly language: { readonly tag: string; readonly dir: 'ltr' | 'rtl' };
  /** As text. */
  readonly title: string;
  readonly mark: keyof typeof marks;
  /** HTML below the heading. */
  readonly content: string;
}

/** A self-contained page. */
const htmlPage = (
  statusCode: number,
  { language, title, mark, content }: Page,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse =>
  textResponse(
    statusCode,
    'text/html',
    `<!doctype html>
<html lang="${language.tag}" dir="${language.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<svg class="${mark}" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="${marks[mark]}"/></svg>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`,
    {
      'Content-Security-Policy': contentSecurityPolicy,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  );

const wayBack = (cameFrom: string | undefined, { backToSite }: PageTexts): string => {
  if (cameFrom === undefined) return '';
  const words = backToSite.replace('{site}', new URL(cameFrom).host);
  return `<p><a href="${escapeHtml(cameFrom)}">${escapeHtml(words)}</a></p>`;
};

/**
 * The response to a plain form that was stored.
 * @param thankYouUrl the page to redirect to; undefined: the built-in page
 */
export const thankYouPage = async (
  { languages, cameFrom }: Visitor,
  thankYouUrl: string | undefined,
): Promise<HttpResponse> => {
  if (thankYouUrl !== undefined)
    return { statusCode: 303, headers: { Location: thankYouUrl, 'Cache-Control': 'no-store' }, body: '' };
  const language = await loadLanguage(languages);
  const { title, text } = language.pages.thanks;
  const content = `<p>${escapeHtml(text)}</p>\n${wayBack(cameFrom, language.pages)}`;
  return htmlPage(201, { language, title, mark: 'good', content });
};

const maxErrors = 10;
const maxNameLength = 64;

/** Whether the settings or the service wrote the name, not what sent the form. */
const hasOurName = (error: ErrorDetail): boolean =>
  'message' in error || (error.code === 'required' && error.contactField === undefined);

/**
 * The label of one of the fields, and what the form calls the field, if that differs.
 * @param site whose page sent the names. Any other page could send sentences, which would look like ours
 */
const headingOf = (error: ErrorDetail, pages: PageTexts, site: Site | undefined): string => {
  if (isOfBody(error)) return pages.labels.body;
  const characters = [...error.field];
  const name = characters.length > maxNameLength ? `${characters.slice(0, maxNameLength - 1).join('')}…` : error.field;
  const showsName = site !== undefined || hasOurName(error);
  const field = fieldNames.find((each) => 'contactField' in error && each === error.contactField);
  if (field === undefined) return showsName ? name : pages.labels.body;
  const label = labelOf(pages, field);
  return !showsName || [field, label].includes(error.field) ? label : `${label} (${name})`;
};

/** The response to an error of a plain form. */
export const errorPage = (
  { status, details, headers }: HttpError,
  language: Language,
  site: Site | undefined,
): HttpResponse => {
  const { pages } = language;
  const { refusal } = pages;
  // Visitors can fill in only what the form has.
  const present = details.filter((error) => !(error.code === 'required' && error.isAbsent));
  const all = present.map((error) => {
    const words = messageOf(error, (visitors) => errorMessage(language, visitors));
    return `<dt dir="auto">${escapeHtml(headingOf(error, pages, site))}</dt>\n<dd>${escapeHtml(words)}</dd>\n`;
  });
  const errors = [...new Set(all)].slice(0, maxErrors);
  const reasonOf = new Map<number, string>(Object.entries(refusal.reasons).map(([code, text]) => [Number(code), text]));
  const reason = details.length > 0 ? refusal.fillIn : (reasonOf.get(status) ?? refusal.otherReason);
  const explanation =
    errors.length > 0
      ? `<p>${escapeHtml(refusal.correct)}</p>\n<dl>\n${errors.join('')}</dl>`
      : `<p>${escapeHtml(reason)}</p>`;
  // No link: it would open the form anew, without what was written.
  const goBack = status === 403 ? '' : `<p>${escapeHtml(refusal.goBack)}</p>`;
  return htmlPage(
    status,
    { language, title: refusal.title, mark: 'error', content: `${explanation}\n${goBack}` },
    headers,
  );
};
