import assert from 'node:assert/strict';
import { STATUS_CODES } from 'node:http';
import * as v from 'valibot';
import { reasonPhrases } from '../acceptance/reason-phrases.ts';
import type { Answer } from './client.ts';
import type { Refusal } from './contract.ts';
import type { Origin } from './steps.ts';

const phrases = new Map<string, string>(Object.entries(reasonPhrases));

/** What no answer may show: the parts behind the service, and where its code stands. */
const internal =
  /dynamo|arn:aws|node_modules|node:internal|\.m?[jt]s:\d|Exception|Error:|at async|127\.0\.0\.1:\d+\/\?/i;

const error = v.strictObject({
  error: v.string(),
  details: v.exactOptional(
    v.array(
      v.strictObject({
        field: v.string(),
        message: v.pipe(v.string(), v.nonEmpty()),
        code: v.string(),
        limit: v.exactOptional(v.number()),
      }),
    ),
  ),
});

export const parseJson = ({ headers, text }: Answer): unknown => {
  assert.match(String(headers['content-type']), /^application\/json\b/, 'the answer is JSON');
  return JSON.parse(text);
};

/** An error in the form of every error. @returns the names in its details, if it has some */
const namesInError = (answer: Answer): string[] | undefined => {
  const { error: phrase, details } = v.parse(error, parseJson(answer));
  assert.equal(
    phrase,
    phrases.get(String(answer.status)) ?? STATUS_CODES[answer.status],
    'the reason phrase of the status',
  );
  assert.doesNotMatch(answer.text, internal, 'nothing internal in a body');
  return details?.map(({ field }) => field).sort();
};

/** Expects one of the refusals, as an error or as a page. */
export const expectRefusal = (answer: Answer, refusals: readonly Refusal[], asPage = false): void => {
  const candidates = refusals.filter(({ status }) => status === answer.status);
  assert(candidates.length > 0, `${answer.status} ${answer.text} where ${JSON.stringify(refusals)} was expected`);
  if (asPage) {
    expectPage(answer);
    return;
  }
  const found = namesInError(answer);
  const allowed = candidates.map(({ names }) => JSON.stringify(names && [...names].sort()));
  assert(allowed.includes(JSON.stringify(found)), `details name ${JSON.stringify(found)}, not ${allowed.join(' or ')}`);
};

/** Expects an error of one of the statuses, whatever its details. */
export const expectError = (answer: Answer, ...statuses: readonly number[]): void => {
  assert(
    statuses.includes(answer.status),
    `${answer.status} ${answer.text} where ${statuses.join(' or ')} was expected`,
  );
  const names = namesInError(answer);
  if (answer.status === 404) assert.equal(names, undefined, 'Not Found has one field');
};

export const expectPage = ({ headers, text }: Answer): void => {
  assert.match(String(headers['content-type']), /^text\/html; charset=utf-8$/);
  assert.match(text, /^<!doctype html>[\s\S]*<\/html>\s*$/);
  assert.doesNotMatch(text, internal, 'nothing internal in a body');
};

/** CORS of the public endpoint: a site's page reads every answer, another's none. */
export const expectReadable = ({ headers }: Answer, origin: Origin, siteOrigin: string): void => {
  const allowed = headers['access-control-allow-origin'];
  assert.equal(allowed, origin === 'site' ? siteOrigin : undefined, `who may read what a page (${origin}) asked for`);
  if (origin === 'site') assert.match(String(headers['vary']), /\borigin\b/i);
};

/** CORS of all else: no page reads what it asks for; an error of the gateway is for any, since there are several sites. */
export const expectUnreadable = ({ status, headers }: Answer): void => {
  const allowed = headers['access-control-allow-origin'];
  assert(
    allowed === undefined || (status >= 400 && allowed === '*'),
    `Access-Control-Allow-Origin: ${allowed} on ${status}`,
  );
};
