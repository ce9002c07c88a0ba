import { type ErrorStatus, reasonPhrases } from '../../functions/http/errors.ts';
import type { EndpointId } from '../infrastructure/endpoints.ts';
import { type Exchange, exchanges } from './examples.ts';
import type { HeaderName } from './headers.ts';
import { nothing } from './json-schema.ts';
import { type Answer, type Audience, type ErrorAnswer, errorHeaders } from './operations.ts';
import { type SchemaName, schemaRef } from './schemas.ts';

const headersOf = (names: readonly HeaderName[]) =>
  names.length > 0
    ? { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }
    : {};

/** What was asked, where it stands nowhere else in the document. */
const asked = ({ request: { headers: sent = {}, query, body } }: Exchange): string =>
  [
    ...Object.entries(sent).map(([name, value]) => `\`${name}: ${value}\``),
    ...(query ? [`\`?${new URLSearchParams(query)}\``] : []),
    ...(body === undefined ? [] : [`\`${typeof body === 'string' ? body : JSON.stringify(body)}\``]),
  ].join(', ');

/** The examples of an answer, when it has some; one that was asked for wrongly says how. */
export const examplesOf = (id: EndpointId, status: number, isText: boolean) => {
  const fitting = exchanges[id].filter(
    ({ answer }) => answer.status === status && (typeof answer.body === 'string') === isText,
  );
  const examples = fitting.map((exchange) => [
    exchange.name,
    {
      summary: exchange.summary,
      ...(status === 400 && { description: `The answer to ${asked(exchange)}` }),
      value: exchange.answer.body,
    },
  ]);
  return fitting.length > 0 ? { examples: Object.fromEntries(examples) } : undefined;
};

const schemaOf = (content: SchemaName | readonly [SchemaName] | 'text') => {
  if (content === 'text') return { type: 'string' };
  return typeof content === 'string' ? schemaRef(content) : { type: 'array', items: schemaRef(content[0]) };
};

/** An answer that is no error. */
export const answerOf = (id: EndpointId, { status, description, headers: names, content }: Answer) => ({
  description,
  ...headersOf(names),
  ...(content && {
    content: Object.fromEntries(
      Object.entries(content).map(([mediaType, what]) => [
        mediaType,
        { schema: schemaOf(what), ...examplesOf(id, status, what === 'text') },
      ]),
    ),
  }),
});

/** The one schema of errors, bound to what this status has: generators take it for the one schema. */
const errorSchema = (status: ErrorStatus, codes: readonly string[] | undefined) => ({
  ...schemaRef('ServiceError'),
  properties: {
    error: { const: reasonPhrases[status] },
    details: codes ? { items: { properties: { code: { enum: codes } }, additionalProperties: true } } : nothing,
  },
});

/**
 * An error of an endpoint, or of all those that staff use.
 * @param examples what may be shown of it @defaultValue that it has no details
 */
export const errorOf = (
  { status, description, codes }: ErrorAnswer,
  audience: Audience,
  examples: object = { example: { error: reasonPhrases[status] } },
) => ({
  description,
  ...headersOf(errorHeaders(status, audience)),
  content: {
    'application/json': { schema: errorSchema(status, codes), ...examples },
    ...(audience === 'visitors' && { 'text/html': { schema: { type: 'string' } } }),
  },
});
