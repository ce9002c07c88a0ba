import { STATUS_CODES } from 'node:http';
import { reasonPhrases } from '../../functions/http/errors.ts';
import { endpoints } from '../infrastructure/endpoints.ts';
import { description } from './document.ts';
import { type Exchange, exchanges } from './examples.ts';
import { type HeaderName, headers } from './headers.ts';
import type { JsonSchema } from './json-schema.ts';
import { errorHeaders, errorsOf, operations, type ServiceEndpoint, tags } from './operations.ts';
import { type SchemaName, schemas } from './schemas.ts';

/** Node has older ones for some errors. */
const phrases: Readonly<Record<number, string | undefined>> = { ...STATUS_CODES, ...reasonPhrases };

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(' | ')} |`).join('\n');

const code = (text: string | number) => `\`${text}\``;

const linkTo = (name: string) => `[${name}](#${name.toLowerCase()})`;

const formats: Readonly<Record<string, string>> = {
  'date-time': 'RFC 3339 time',
  email: 'e-mail address',
  uri: 'URL',
  uuid: 'UUID',
};

/** What a value may be, in words. */
const kindOf = (schema: unknown): string => {
  const { $ref, anyOf, enum: values, type, format, items, additionalProperties }: JsonSchema = Object(schema);
  if ($ref !== undefined) return linkTo($ref.replace(/.*\//, ''));
  if (anyOf) return [...new Set(anyOf.map(kindOf))].join(' or ');
  if (values) return values.map(String).map(code).join(', ');
  if (type === 'array') return `list (${kindOf(items)})`;
  if (type === 'object') return `object (${kindOf(additionalProperties)})`;
  return formats[format ?? ''] ?? (type === 'string' ? 'text' : String(type));
};

/** A kind with its bounds. */
const inWords = (schema: JsonSchema): string => {
  const { minimum, maximum, maxLength, default: standard } = schema;
  return [
    kindOf(schema),
    ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
    ...(maxLength === undefined ? [] : [`up to ${maxLength} characters`]),
    ...(standard === undefined ? [] : [`default ${code(String(standard))}`]),
  ].join(', ');
};

const jsonBlock = (mediaType: string | undefined, body: unknown): string => {
  if (body === undefined) return '';
  const text = typeof body === 'string' ? body.replaceAll('\r\n', '\n').trimEnd() : JSON.stringify(body, undefined, 2);
  return `${mediaType ? `Content-Type: ${mediaType}\n` : ''}\n${text}\n`;
};

const exampleOf = ({ method, path, permission }: ServiceEndpoint, { summary, request, answer }: Exchange): string => {
  const { headers: sent = {}, query, id = '', body } = request;
  const target = path.replace('{id}', id) + (query ? `?${new URLSearchParams(query)}` : '');
  const lines = [
    `${method} ${target}`,
    ...(permission ? ['Authentication: crcs_…'] : []),
    ...Object.entries(sent).map(([name, value]) => `${name}: ${value}`),
  ];
  const answered = typeof answer.body === 'string' ? 'text/csv' : 'application/json';
  return `${summary}:

\`\`\`http
${lines.join('\n')}
${jsonBlock('application/json', body)}\`\`\`

\`\`\`http
${answer.status} ${phrases[answer.status]}${answer.link ? `\nLink: ${answer.link}` : ''}
${jsonBlock(answered, answer.body)}\`\`\``;
};

const bodyOf = (content: Readonly<Record<string, SchemaName | readonly [SchemaName] | 'text'>> | undefined): string =>
  Object.entries(content ?? {})
    .map(([mediaType, what]) =>
      what === 'text' ? code(mediaType) : typeof what === 'string' ? linkTo(what) : `list of ${linkTo(what[0])}`,
    )
    .join(', ');

/** What a program goes by. The others, for browsers and caches, stand at the page's end. */
const telling: readonly HeaderName[] = ['Location', 'Idempotent-Replayed', 'Link', 'ETag', 'Retry-After'];

const named = (names: readonly HeaderName[]) =>
  telling
    .filter((name) => names.includes(name))
    .map(code)
    .join(', ');

const operationSection = (endpoint: ServiceEndpoint): string => {
  const { id, method, path, permission, description: summary } = endpoint;
  const { description: text, parameters, body, answers } = operations[id];
  const audience = permission ? 'staff' : 'visitors';
  const rows = [
    ...answers.map(({ status, description: what, content, headers: names }) => [
      code(status),
      what,
      bodyOf(content),
      named(names),
    ]),
    ...errorsOf(endpoint).map(({ status, description: what, codes }) => [
      code(status),
      `${what}${codes ? ` Codes: ${codes.map(code).join(', ')}` : ''}`,
      `${linkTo('ServiceError')}${audience === 'visitors' ? ', `text/html`' : ''}`,
      named(errorHeaders(status, audience)),
    ]),
  ];
  return [
    `### ${method} ${path}`,
    `${summary}. ${permission ? `Permission: ${code(permission)}.` : 'Needs no token.'}`,
    text,
    ...(parameters.length > 0
      ? [
          table(
            ['parameter', 'in', 'value', 'what it does'],
            parameters.map((each) => [code(each.name), each.in, inWords(each.schema), each.description]),
          ),
        ]
      : []),
    ...(body ? [`Body: ${linkTo(body)}.`] : []),
    table(['status', 'when', 'body', 'headers'], rows),
    ...exchanges[id].map((exchange) => exampleOf(endpoint, exchange)),
  ].join('\n\n');
};

const schemaSection = ([name, schema]: [name: string, schema: JsonSchema]): string => {
  const { description: text, properties = {}, required = [], additionalProperties } = schema;
  const rows = Object.entries(properties).map(([property, each]) => {
    const of: JsonSchema = Object(each);
    return [code(property), required.includes(property) ? 'always' : '', inWords(of), of.description ?? ''];
  });
  const further: JsonSchema = Object(additionalProperties);
  if (additionalProperties) rows.push(['every other', '', inWords(further), further.description ?? '']);
  return [`### ${name}`, text ?? '', table(['property', 'is there', 'value', ''], rows)].join('\n\n');
};

/** The document as a page for people, in GitHub's Markdown. */
export const apiPage = `# The API

<!-- Made by \`npm run openapi\`: change lib/openapi/. -->

${description}

This page says what the [OpenAPI 3.1 document](../openapi.json) says, for people. Each example is what the service answers.
What the codes of \`details\` mean stands in [errors](errors.md); what a site's form may send, in [forms](forms.md).

${table(
  ['endpoint', '', 'permission'],
  endpoints.map(({ method, path, description: summary, permission }) => [
    `[${method} ${path}](#${`${method} ${path}`
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-')})`,
    summary,
    permission ? code(permission) : 'none',
  ]),
)}

${Object.entries(tags)
  .map(([tag, about]) =>
    [
      `## ${tag}`,
      about,
      ...endpoints.filter(({ id }) => operations[id].tag === tag).map((endpoint) => operationSection(endpoint)),
    ].join('\n\n'),
  )
  .join('\n\n')}

## What is sent and answered

${Object.entries(schemas).map(schemaSection).join('\n\n')}

## Headers of answers

${table(
  ['header', '', 'example'],
  Object.entries(headers).map(([name, { description: what, example }]) => [code(name), what, code(example)]),
)}
`;
