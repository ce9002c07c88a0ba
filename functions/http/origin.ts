import type { HttpRequest } from './request.ts';

/** The origin of the page that sends the request; `null` (a page that hides it) counts as not sent. */
export const originOf = ({ headers }: HttpRequest): string | undefined => {
  const origin = headers.get('origin');
  return origin === 'null' ? undefined : origin;
};
