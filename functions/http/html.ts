import { createHash } from 'node:crypto';
import { type HttpResponse, text } from './response.ts';

/** Text as it may stand in HTML, in an element or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const style = `:root{color-scheme:light dark;--ink:#1c2430;--paper:#fff;--accent:#0b57d0}
@media (prefers-color-scheme:dark){:root{--ink:#e8ebf0;--paper:#14181f;--accent:#9cc2ff}}
body{margin:0;background:var(--paper);color:var(--ink);font:1.125rem/1.6 system-ui,sans-serif}
main{max-width:36rem;margin:0 auto;padding:3rem 1.25rem}
h1{font-size:1.75rem;line-height:1.25}
a{color:var(--accent)}
dt{font-weight:600}
dd{margin:0 0 1rem}`;

/** Nothing may load or run on a page but its own style sheet. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface Page {
  readonly language: { readonly tag: string; readonly dir: 'ltr' | 'rtl' };
  /** As text. */
  readonly title: string;
  /** Of the main landmark below the heading, as HTML. */
  readonly content: string;
}

/** A page that needs no other file. */
export const htmlPage = (
  statusCode: number,
  { language, title, content }: Page,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse =>
  text(
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
