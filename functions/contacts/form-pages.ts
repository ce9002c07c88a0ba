import { HttpError } from '../http/errors.ts';
import { wordsOf } from '../http/faults.ts';
import type { HttpMiddleware } from '../http/handler.ts';
import { escapeHtml, htmlPage } from '../http/html.ts';
import { isPlainForm } from '../http/plain-form.ts';
import type { HttpRequest } from '../http/request.ts';
import type { HttpResponse } from '../http/response.ts';
import { sayFault } from './languages/language.ts';
import { languageOf, type Sites, siteOf } from './site.ts';

/** The page that the form is on, or its site, as far as the browser tells; never an address elsewhere. */
const pageBefore = ({ headers }: HttpRequest, sites: Sites): string | undefined =>
  [headers.get('referer'), headers.get('origin')].find((url) =>
    [...sites.keys()].some((origin) => `${url}/`.startsWith(`${origin}/`)),
  );

const wayBack = (request: HttpRequest, sites: Sites, text: string): string => {
  const url = pageBefore(request, sites);
  return url === undefined ? '' : `<p><a href="${escapeHtml(url)}">${escapeHtml(text)}</a></p>`;
};

const thankYouPage = (response: HttpResponse, request: HttpRequest, sites: Sites): HttpResponse => {
  const thankYouUrl = siteOf(request, sites)?.thankYouUrl;
  if (thankYouUrl !== undefined)
    return { statusCode: 303, headers: { Location: thankYouUrl, 'Cache-Control': 'no-store' }, body: '' };
  const language = languageOf(request, sites);
  const { title, text, backToSite } = language.thanks;
  return htmlPage(
    response.statusCode,
    { language, title, content: `<p>${escapeHtml(text)}</p>\n${wayBack(request, sites, backToSite)}` },
    { Location: String(response.headers['Location']) },
  );
};

/** A form may have a field called `body`: what is said of texts only is not said of the body as a whole. */
const isOfFieldNamedBody = ({ field, code }: HttpError['details'][number]) =>
  field === 'body' && ['too_long', 'control_character'].includes(code);

const errorPage = ({ status, details, headers }: HttpError, request: HttpRequest, sites: Sites) => {
  const language = languageOf(request, sites);
  const { labels, refusal } = language;
  const labelOf = new Map<string, string>(Object.entries(labels));
  const reasonOf = new Map<number, string>(Object.entries(refusal.reasons).map(([code, text]) => [Number(code), text]));
  const faults = details.map((fault) => {
    const words = wordsOf(fault, (visitors) => sayFault(language, visitors));
    const label = isOfFieldNamedBody(fault) ? undefined : labelOf.get(fault.field);
    return `<dt>${escapeHtml(label ?? fault.field)}</dt>\n<dd>${escapeHtml(words)}</dd>\n`;
  });
  const explanation =
    faults.length > 0
      ? `<p>${escapeHtml(refusal.correct)}</p>\n<dl>\n${faults.join('')}</dl>`
      : `<p>${escapeHtml(reasonOf.get(status) ?? refusal.otherReason)}</p>`;
  const goBack = status === 403 ? '' : `<p>${escapeHtml(refusal.goBack)}</p>`;
  const content = `${explanation}\n${goBack}\n${wayBack(request, sites, refusal.startAgain)}`;
  return htmlPage(status, { language, title: refusal.title, content }, headers);
};

/** Answers a browser that posts a plain form with pages instead of JSON. */
export const formPages = (sites: Sites): HttpMiddleware => ({
  after: (request) => {
    if (!request.response || !isPlainForm(request.event)) return;
    request.response = thankYouPage(request.response, request.event, sites);
  },
  onError: (request) => {
    if (!(request.error instanceof HttpError) || !isPlainForm(request.event)) return;
    request.response = errorPage(request.error, request.event, sites);
  },
});
