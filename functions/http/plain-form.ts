import { prefers } from './accept.ts';
import type { HttpRequest } from './request.ts';

/** Whether a browser posts a plain `<form>`, which never sends JSON, and would rather have a page for an answer. */
export const isPlainForm = (request: HttpRequest): boolean =>
  !/^application\/json *(;|$)/i.test(String(request.headers.get('content-type'))) && prefers(request, 'text/html');
