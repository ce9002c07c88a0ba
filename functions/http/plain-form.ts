import { prefers } from './accept.ts';
import type { HttpRequest } from './request.ts';

const essenceOf = ({ headers }: HttpRequest) => headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();

/** Whether a browser posts a plain `<form>`, which never sends JSON, and would rather have a page for an answer. */
export const isPlainForm = (request: HttpRequest): boolean =>
  prefers(request, 'text/html') && essenceOf(request) !== 'application/json';
