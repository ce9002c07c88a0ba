import { type IResource, type Method, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';
import { type Endpoint, endpoints, publicEndpoints } from './endpoints.ts';
import type { Environment } from './settings.ts';

/** The requests that pages of some origins can send to a path. */
interface Permit {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly headers: string;
}

const staffEndpoints = endpoints.filter(({ permission }) => permission);

const methodsAt = (path: string, among: readonly Endpoint[]) =>
  among.filter((endpoint) => endpoint.path === path).map(({ method }) => method);

/** The permits of a path; none if no page can call it. */
export const permitsOf = (path: string, { sites, inboxOrigins }: Environment): readonly Permit[] =>
  [
    {
      origins: sites.map(({ origin }) => origin),
      methods: methodsAt(path, publicEndpoints),
      headers: 'Content-Type,Idempotency-Key',
    },
    {
      origins: inboxOrigins,
      methods: methodsAt(path, staffEndpoints),
      headers: 'Authentication,Accept,Content-Type',
    },
  ].filter(({ origins, methods }) => origins.length > 0 && methods.length > 0);

const allowOrigin = 'Access-Control-Allow-Origin';
const allowMethods = 'Access-Control-Allow-Methods';
const allowHeaders = 'Access-Control-Allow-Headers';

/** Header names are case-sensitive here. `$input.params(name)` would prefer a query parameter of that name. */
const headerValue = (header: string) => `$input.params().header.get("${header}")`;

/** Reads a header, which can have a name in lower case, into a variable. If it is missing, the value can be null. */
const read = (variable: string, header: string) => `#set($${variable} = ${headerValue(header)})
#if("$!${variable}" == "")#set($${variable} = ${headerValue(header.toLowerCase())})#end`;

const isOneOf = (variable: string, values: readonly string[]) =>
  values.map((value) => `$${variable} == "${value}"`).join(' || ');

const override = (header: string, variable: string) =>
  `#set($context.responseOverride.header.${header} = $${variable})`;

/** Chooses the allowed origin among several. */
const originTemplate = (origins: readonly string[]) => `${read('origin', 'Origin')}
#if(${isOneOf('origin', origins)})
${override(allowOrigin, 'origin')}
#end`;

/** Chooses among permits by origin and method. API Gateway fails if a template overrides a header twice. */
const permitTemplate = (permits: readonly Permit[]) => `${read('origin', 'Origin')}
${read('method', 'Access-Control-Request-Method')}
#set($headers = "")
${permits
  .map(
    ({ origins, methods, headers }) =>
      `#if((${isOneOf('method', methods)}) && (${isOneOf('origin', origins)}))#set($headers = "${headers}")#end`,
  )
  .join('\n')}
#if($headers != "")
${override(allowOrigin, 'origin')}
${override(allowMethods, 'method')}
${override(allowHeaders, 'headers')}
#end`;

const methodResponseHeaders = <From, To>(headers: Record<string, From>, map: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, map(value)]));

/**
 * The gateway responds to CORS preflights itself, so that a page sees the error of a failing handler instead of a CORS error. For
 * a foreign origin the response names no allowed origin.
 */
export const addPreflight = (resource: IResource, permits: readonly Permit[]): Method => {
  const [permit, ...others] = permits;
  const only = others.length === 0 ? permit : undefined;
  const origins = only?.origins ?? [];
  const headers = {
    ...(only && { [allowMethods]: `'${only.methods.join()}'`, [allowHeaders]: `'${only.headers}'` }),
    'Access-Control-Max-Age': "'7200'",
    Vary: "'Origin'",
    ...(origins.length === 1 && { [allowOrigin]: `'${origins[0]}'` }),
  };
  const template = only ? originTemplate(origins) : permitTemplate(permits);
  return resource.addMethod(
    'OPTIONS',
    new MockIntegration({
      passthroughBehavior: PassthroughBehavior.NEVER,
      requestTemplates: { 'application/json': '{ "statusCode": 204 }' },
      integrationResponses: [
        {
          statusCode: '204',
          responseParameters: methodResponseHeaders(headers, (value) => value),
          ...(origins.length !== 1 && { responseTemplates: { 'application/json': template } }),
        },
      ],
    }),
    { methodResponses: [{ statusCode: '204', responseParameters: methodResponseHeaders(headers, () => true) }] },
  );
};
