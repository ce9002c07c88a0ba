import { HttpError } from '../http/errors.ts';
import type { HttpMiddleware } from '../http/handler.ts';
import { escapeHtml, htmlPage } from '../http/html.ts';
import { isPlainForm } from '../http/plain-form.ts';
import type { ErrorStatus } from '../http/reason-phrases.ts';
import type { HttpRequest } from '../http/request.ts';
import type { HttpResponse } from '../http/response.ts';
import { type FieldName, firstField } from './contact.ts';
import { type Sites, siteOf } from './site.ts';

/** What the fields are called in a page, and the body as a whole. */
const labels: Readonly<Record<FieldName | 'body', string>> = {
  [firstField]: 'Email address',
  phone: 'Phone number',
  company: 'Company',
  message: 'Message',
  firstName: 'First name',
  lastName: 'Last name',
  body: 'The form',
};

const labelOf = new Map<string, string>(Object.entries(labels));

/** What went wrong, for a visitor who cannot mend it in a field. */
const explanations: Partial<Record<ErrorStatus, string>> = {
  403: 'This form is not allowed to send messages here. Please reach the owner of the site in another way.',
  413: 'Your message is too long. Please shorten it and send it again.',
  415: 'The form sent something other than text, such as a file. Please send your message without it.',
  503: 'The service is away for a moment. Please send your message again in a minute.',
};

const goBack = 'Go back with your browser: what you wrote should still be there.';

/** The page that the form is on, or its site, as far as the browser tells; never an address elsewhere. */
const pageBefore = ({ headers }: HttpRequest, sites: Sites): string | undefined =>
  [headers.get('referer'), headers.get('origin')].find(
    (url) => url !== undefined && URL.canParse(url) && sites.has(new URL(url).origin),
  );

const wayBack = (request: HttpRequest, sites: Sites, text: string) => {
  const url = pageBefore(request, sites);
  return url === undefined ? '' : `<p><a href="${escapeHtml(url)}">${escapeHtml(text)}</a></p>`;
};

const thankYouPage = (response: HttpResponse, request: HttpRequest, sites: Sites) => {
  const thankYouUrl = siteOf(request, sites)?.thankYouUrl;
  return thankYouUrl === undefined
    ? htmlPage(
        response.statusCode,
        'Thank you',
        `<p>Your message has arrived.</p>\n${wayBack(request, sites, 'Back to the site')}`,
        response.headers['Location'] === undefined ? {} : { Location: response.headers['Location'] },
      )
    : { statusCode: 303, headers: { Location: thankYouUrl, 'Cache-Control': 'no-store' }, body: '' };
};

const errorPage = ({ status, details, headers }: HttpError, request: HttpRequest, sites: Sites) => {
  const faults = details.map(
    ({ field, message }) => `<dt>${escapeHtml(labelOf.get(field) ?? field)}</dt>\n<dd>${escapeHtml(message)}</dd>`,
  );
  const explanation =
    faults.length > 0
      ? `<p>Please correct this, then send your message again:</p>\n<dl>\n${faults.join('\n')}\n</dl>`
      : `<p>${explanations[status] ?? 'Something went wrong on our side. Please try again later.'}</p>`;
  return htmlPage(
    status,
    'Your message was not sent',
    `${explanation}\n${status === 403 ? '' : `<p>${goBack}</p>`}\n${wayBack(request, sites, 'Start again on the site')}`,
    headers,
  );
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
