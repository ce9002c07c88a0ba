import { reasonPhrases } from '../../functions/http/errors.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { type EndpointId, endpoints } from '../infrastructure/endpoints.ts';
import { answerOf, errorOf, examplesOf } from './answers.ts';
import { type Exchange, exchanges } from './examples.ts';
import { headers } from './headers.ts';
import { errorsOf, operations, type Parameter, type ServiceEndpoint, staffErrors, tags } from './operations.ts';
import { schemaRef, schemas } from './schemas.ts';

export const description = `The form backend for static sites: visitors post contact requests, staff read and delete them and read campaigns.

Staff send a token in the header \`Authentication\`, as it is or behind \`Bearer\`. It has permissions, which each operation names; the staff command issues it.

Every error is JSON, \`{ "error": "<reason phrase of the status>" }\`. 400 and 422 add \`details\` with every fault at once, each with a stable \`code\`. 429 and 503 say in \`Retry-After\` when to try again.

A later version may add fields, headers and codes: a program passes over those that it does not know.`;

const tokenScheme = 'token';

/** The errors that are the same on every endpoint for staff, by name. */
const sharedErrors = new Map(staffErrors.map((error) => [error, reasonPhrases[error.status].replaceAll(' ', '')]));

const responsesOf = (endpoint: ServiceEndpoint) => {
  const { id, permission } = endpoint;
  const answers = operations[id].answers.map((answer) => [answer.status, answerOf(id, answer)]);
  const errors = errorsOf(endpoint).map((error) => {
    const shared = permission ? sharedErrors.get(error) : undefined;
    const examples = examplesOf(id, error.status, false);
    return [
      error.status,
      shared === undefined
        ? errorOf(error, permission ? 'staff' : 'visitors', examples)
        : { $ref: `#/components/responses/${shared}` },
    ];
  });
  return Object.fromEntries([...answers, ...errors]);
};

/** What is sent in an example, where a client of the document could send it. */
const sent = (id: EndpointId, what: (request: Exchange['request']) => unknown) => {
  const examples = exchanges[id].flatMap(({ name, summary, request, answer }) => {
    const value = answer.status === 400 ? undefined : what(request);
    return value === undefined ? [] : [[name, { summary, value }]];
  });
  return examples.length > 0 ? { examples: Object.fromEntries(examples) } : {};
};

const sentAs = {
  header: ({ headers: sentHeaders }, name) => sentHeaders?.[name],
  path: ({ id }) => id,
  query: ({ query }, name, { type }) => (type === 'integer' && query?.[name] ? Number(query[name]) : query?.[name]),
} as const satisfies Record<
  Parameter['in'],
  (request: Exchange['request'], name: string, schema: Parameter['schema']) => unknown
>;

const parameterOf = (id: EndpointId, parameter: Parameter) => ({
  ...parameter,
  required: parameter.in === 'path',
  ...sent(id, (request) => sentAs[parameter.in](request, parameter.name, parameter.schema)),
});

const operationOf = (endpoint: ServiceEndpoint) => {
  const { id, permission } = endpoint;
  const { tag, description: text, parameters, body } = operations[id];
  return {
    operationId: id.charAt(0).toLowerCase() + id.slice(1),
    tags: [tag],
    summary: endpoint.description,
    description: permission ? `${text}\n\nPermission: \`${permission}\`.` : text,
    security: permission ? [{ [tokenScheme]: [] }] : [],
    ...(parameters.length > 0 && { parameters: parameters.map((parameter) => parameterOf(id, parameter)) }),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schemaRef(body), ...sent(id, (request) => request.body) } },
      },
    }),
    responses: responsesOf(endpoint),
  };
};

const paths = Object.fromEntries(
  [...Map.groupBy(endpoints, ({ path }) => path)].map(([path, group]) => [
    path,
    Object.fromEntries(group.map((endpoint) => [endpoint.method.toLowerCase(), operationOf(endpoint)])),
  ]),
);

/** The OpenAPI 3.1 document of the service: https://spec.openapis.org/oas/v3.1.1.html */
export const openApiDocument = {
  openapi: '3.1.1',
  info: {
    title: 'Contact Request and Campaign Service',
    version: packageJson.version,
    description,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [
    {
      url: '{baseUrl}',
      description: 'As `npm start` or the deployment prints it.',
      variables: { baseUrl: { default: 'http://127.0.0.1:3000' } },
    },
  ],
  tags: Object.entries(tags).map(([name, about]) => ({ name, description: about })),
  paths,
  components: {
    securitySchemes: {
      [tokenScheme]: {
        type: 'apiKey',
        in: 'header',
        name: 'Authentication',
        description: 'A token, `crcs_…`, as it is or behind `Bearer`.',
      },
    },
    schemas,
    headers,
    responses: Object.fromEntries([...sharedErrors].map(([error, name]) => [name, errorOf(error, 'staff')])),
  },
};
