import * as v from 'valibot';
import { endpoints, publicEndpoints } from '../infrastructure/endpoints.ts';
import { printable, type Style } from '../shared/terminal-text.ts';
import { type Exchange, headerOf } from './host/gateway/http-message.ts';
import type { Log } from './host/host-log.ts';

/** What functions log (functions/shared/log.ts), of a request or a notification. Errors are printed as they are. */
const functionLog = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({ level: v.picklist(['info', 'warn']), message: v.string(), requestId: v.exactOptional(v.string()) }),
);

type FunctionLog = v.InferOutput<typeof functionLog>;

/** A line for CloudWatch (functions/shared/metrics.ts), which says nothing to people. */
const metricLog = v.pipe(v.string(), v.parseJson(), v.object({ _aws: v.unknown() }));

/** The line of a try to notify a target (functions/notify/notify.ts). */
const notificationLog = v.object({
  message: v.picklist(['notification delivered', 'notification failed']),
  target: v.string(),
  reason: v.optional(v.string(), ''),
});

/** The handler's line of a failed request. It says nothing that the request line does not say. */
const statusMessage = 'request';

/** As in `marked as spam (reason: trap)`. */
const noteOf = ({ level, timestamp, requestId, message, ...fields }: FunctionLog): string => {
  const values = Object.entries(fields).map(([name, value]) => `${name}: ${[value].flat().join(', ')}`);
  return values.length === 0 ? message : `${message} (${values.join(', ')})`;
};

/** The body of an error that says what to do. */
const errorBody = v.pipe(v.string(), v.parseJson(), v.object({ details: v.array(v.object({ code: v.string() })) }));

/** Why a request failed, by the status of a response that has no codes. */
const reasons: ReadonlyMap<number, string> = new Map([
  [404, 'no such path or id'],
  [413, 'the body is too large'],
  [415, 'a file, or a body of another type than a form or JSON'],
]);

/** The permission of an endpoint. `{id}` in its path stands for one segment. */
const permissionOf = ({ httpMethod, path }: Exchange['request']): string | undefined =>
  endpoints.find(
    (endpoint) =>
      endpoint.method === httpMethod && new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )?.permission;

/** No page has a link to an address of forms, so this is a form without `method="post"`. The address bar is no page: `none`. */
const isSentByGet = ({ httpMethod, path, headers }: Exchange['request']): boolean =>
  httpMethod === 'GET' &&
  publicEndpoints.some((endpoint) => endpoint.path === path) &&
  headerOf(headers, 'Sec-Fetch-Mode') === 'navigate' &&
  headerOf(headers, 'Sec-Fetch-Site') !== 'none';

/** Why a request failed of which no function has logged the reason. */
const reasonsIn = ({ request, response: { statusCode, body } }: Exchange): string[] => {
  if (isSentByGet(request)) return ['a form was sent by GET: it needs method="post"'];
  const parsed = statusCode >= 400 ? v.safeParse(errorBody, body) : undefined;
  if (parsed?.success) return [parsed.output.details.map(({ code }) => code).join(', ')];
  const ofFile = /<Error>.*<Message>(.*)<\/Message>/.exec(String(body))?.[1];
  if (ofFile !== undefined) return [ofFile];
  if (statusCode === 403) return [`the token lacks ${permissionOf(request)}`];
  const reason = reasons.get(statusCode);
  return reason === undefined ? [] : [reason];
};

/** Characters of a path, or of a function's line: both can hold whatever the sender wrote. */
const maxLength = 200;

const shorten = (text: string) => (text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text);

const colourOf = (status: number) => {
  if (status < 400) return 'green';
  return status < 500 ? 'yellow' : 'red';
};

/**
 * One line for each request: method, path, status, milliseconds, and what the functions logged about the request, or the codes
 * of its errors. The path is without its query. One line for each delivered notification, and one for a target that fails, until
 * its reason changes.
 * @param print prints a line
 * @param logOther prints what the functions logged besides
 * @param style colours the status
 */
export const createRequestLines = (print: (line: string) => void, logOther: Log, style: Style) => {
  const notesOf = new Map<string, string[]>();
  /** Why each target fails at present. */
  const failing = new Map<string, string>();

  /** Whether a line is news: a target that fails is tried again and again for a day, for each contact request. */
  const isNews = (line: FunctionLog): boolean => {
    const { success, output } = v.safeParse(notificationLog, line);
    if (!success) return true;
    const { message, target, reason } = output;
    if (message === 'notification delivered') {
      failing.delete(target);
      return true;
    }
    if (failing.get(target) === reason) return false;
    failing.set(target, reason);
    return true;
  };

  const log: Log = (source, line) => {
    if (v.is(metricLog, line)) return;
    const parsed = v.safeParse(functionLog, line);
    if (!parsed.success) return logOther(source, line);
    const { message, requestId } = parsed.output;
    if (message === statusMessage || !isNews(parsed.output)) return;
    const note = printable(shorten(noteOf(parsed.output)));
    if (requestId === undefined) print(note);
    else notesOf.set(requestId, [...(notesOf.get(requestId) ?? []), note]);
  };

  const observe = (exchange: Exchange): void => {
    const { request, response, milliseconds } = exchange;
    const notes = notesOf.get(request.id) ?? reasonsIn(exchange);
    notesOf.delete(request.id);
    const status = style(colourOf(response.statusCode), String(response.statusCode));
    const start = `${printable(`${request.httpMethod} ${shorten(request.path)}`)} ${status} ${milliseconds} ms`;
    print([start, ...notes].join('  '));
  };

  return { log, observe };
};
