import { type IResource, type Method, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';
import { hiddenOrigin } from '../../functions/http/request.ts';
import { type Endpoint, endpoints, publicEndpoints } from './endpoints.ts';
import type { Environment } from './settings.ts';

/** The requests that pages of some origins can send to a path. */
interface Permit {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  /** @defaultValue whatever headers the page asks for, and credentials */
  readonly headers?: string;
}

const staffEndpoints = endpoints.filter(({ permission }) => permission);

const methodsAt = (path: string, among: readonly Endpoint[]) =>
  among.filter((endpoint) => endpoint.path === path).map(({ method }) => method);

/** The permits of a path; none if no page can call it. */
export const permitsOf = (path: string, { sites, inboxOrigins }: Environment): readonly Permit[] =>
  [
    {
      origins: [...sites.map(({ origin }) => origin), hiddenOrigin],
      methods: methodsAt(path, publicEndpoints),
    },
    {
      origins: inboxOrigins,
      methods: methodsAt(path, staffEndpoints),
      headers: 'Authentication,Accept,Content-Type',
    },
  ].filter(({ origins, methods }) => origins.length > 0 && methods.length > 0);

/** Header names are case-sensitive here. `$input.params(name)` would prefer a query parameter of that name. */
const headerValue = (header: string) => `$input.params().header.get("${header}")`;

/** Reads a header, which can have a name in lower case, into a variable. If it is missing, the value can be null. */
const read = (variable: string, header: string) => `#set($${variable} = ${headerValue(header)})
#if("$!${variable}" == "")#set($${variable} = ${headerValue(header.toLowerCase())})#end`;

const isOneOf = (variable: string, values: readonly string[]) =>
  values.map((value) => `$${variable} == "${value}"`).join(' || ');

const apply = ({
  origins,
  methods,
  headers,
}: Permit) => `#if((${isOneOf('method', methods)}) && (${isOneOf('origin', origins)}))
#set($headers = ${headers === undefined ? '"$!asked"' : `"${headers}"`})
#set($credentials = "${headers === undefined}")
#end`;

const allowOrigin = 'Access-Control-Allow-Origin';
const allowMethods = 'Access-Control-Allow-Methods';
const allowHeaders = 'Access-Control-Allow-Headers';
const allowCredentials = 'Access-Control-Allow-Credentials';

const override = (header: string, variable: string) =>
  `#set($context.responseOverride.header.${header} = $${variable})`;

/** Chooses among permits by origin and method. API Gateway fails if a template overrides a header twice. */
const templateOf = (permits: readonly Permit[]) => `${read('origin', 'Origin')}
${read('method', 'Access-Control-Request-Method')}
${read('asked', 'Access-Control-Request-Headers')}
#set($headers = "")
#set($credentials = "")
${permits.map(apply).join('\n')}
#if($credentials != "")
${override(allowOrigin, 'origin')}
${override(allowMethods, 'method')}
#end
#if($headers != "")${override(allowHeaders, 'headers')}#end
#if($credentials == "true")${override(allowCredentials, 'credentials')}#end`;

/**
 * The gateway responds to CORS preflights itself, so that a page sees the error of a failing handler instead of a CORS error. For
 * a foreign origin the response names no allowed origin.
 */
export const addPreflight = (resource: IResource, permits: readonly Permit[]): Method => {
  const fixed = { 'Access-Control-Max-Age': "'7200'", Vary: "'Origin'" };
  const parameter = (header: string) => `method.response.header.${header}`;
  return resource.addMethod(
    'OPTIONS',
    new MockIntegration({
      passthroughBehavior: PassthroughBehavior.NEVER,
      requestTemplates: { 'application/json': '{ "statusCode": 204 }' },
      integrationResponses: [
        {
          statusCode: '204',
          responseParameters: Object.fromEntries(
            Object.entries(fixed).map(([name, value]) => [parameter(name), value]),
          ),
          responseTemplates: { 'application/json': templateOf(permits) },
        },
      ],
    }),
    {
      methodResponses: [
        {
          statusCode: '204',
          responseParameters: Object.fromEntries(Object.keys(fixed).map((name) => [parameter(name), true])),
        },
      ],
    },
  );
};
