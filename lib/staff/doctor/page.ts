import * as v from 'valibot';
import { localHosts } from '../../infrastructure/settings.ts';

/** What a URL has answered. */
export interface Page {
  /** Where redirects have led. */
  readonly url: string;
  readonly status: number;
  readonly type: string;
  /** As much of it as is read. */
  readonly text: string;
}

/** For each answer, in milliseconds. */
const patience = 10_000;

const mostRedirects = 5;
const mostBytes = 1024 * 1024;

/** Why `fetch` failed, as Node has it: https://nodejs.org/api/errors.html#common-system-errors */
const failure = v.object({ cause: v.object({ code: v.string() }) });

const reasonOf = (error: unknown): string => {
  const told = v.safeParse(failure, error);
  if (told.success) return told.output.cause.code === 'ENOTFOUND' ? 'its name has no address' : told.output.cause.code;
  return error instanceof Error && error.name === 'AbortError'
    ? `no answer in ${patience / 1000} seconds`
    : String(error);
};

const read = async (body: ReadableStream<Uint8Array> | null): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop cancels the rest.
    if (bytes >= mostBytes) break;
  }
  return Buffer.concat(chunks).toString();
};

/** Whether a URL is of this machine, whichever it is. */
export const isLocal = (url: string): boolean => localHosts.includes(new URL(url).hostname);

/** Why a URL is not asked; nothing where it is. A site may lead wherever it likes: not to this machine. */
const refusalOf = ({ origin, protocol, hostname }: URL, first: string): string | undefined => {
  if (localHosts.includes(hostname)) return isLocal(first) ? undefined : `it leads to ${origin}, on this machine`;
  return protocol === 'https:' ? undefined : `${origin} is no https`;
};

/**
 * Asks a URL by https, for a megabyte at most, and where redirects lead.
 * @returns why there is no answer, where there is none
 */
export const ask = async (url: string): Promise<Page | string> => {
  let at = new URL(url);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const refusal = refusalOf(at, url);
    if (refusal !== undefined) return refusal;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), patience);
    try {
      const response = await fetch(at, {
        redirect: 'manual',
        signal: stop.signal,
        headers: { 'User-Agent': 'crcs doctor' },
      });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) {
        const type = response.headers.get('content-type') ?? '';
        return { url: at.href, status: response.status, type, text: await read(response.body) };
      }
      await response.body?.cancel();
      at = new URL(location, at);
    } catch (error) {
      return reasonOf(error);
    } finally {
      clearTimeout(timer);
    }
  }
  return `more than ${mostRedirects} redirects`;
};

/** The same, where it is a fault, too, when the answer is one. */
export const getPage = async (url: string): Promise<Page | string> => {
  const page = await ask(url);
  return typeof page === 'string' || page.status < 400 ? page : `HTTP ${page.status}`;
};
