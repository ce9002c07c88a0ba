import { type IResource, type Method, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';
import { hiddenOrigin } from '../../functions/http/request.ts';
import { type Endpoint, endpointsOf, publicEndpoints } from './endpoints.ts';
import type { Environment } from './settings.ts';

/** The requests that pages of some origins can send to a path. */
interface Permit {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  /** @defaultValue whatever the page asks for */
  readonly headers?: string;
  readonly credentials: boolean;
}

const methodsAt = (path: string, among: readonly Endpoint[]) =>
  among.filter((endpoint) => endpoint.path === path).map(({ method }) => method);

/** The permits of a path; none if no page can call it. */
export const permitsOf = (path: string, { sites, inboxOrigins, triage }: Environment): readonly Permit[] =>
  [
    {
      origins: [...sites.map(({ origin }) => origin), hiddenOrigin],
      methods: methodsAt(path, publicEndpoints),
      credentials: true,
    },
    {
      origins: inboxOrigins,
      methods: methodsAt(
        path,
        endpointsOf({ triage }).filter(({ permission }) => permission),
      ),
      headers: 'Authentication,Accept,Content-Type',
      credentials: false,
    },
  ].filter(({ origins, methods }) => origins.length > 0 && methods.length > 0);

/** Header names are case-sensitive here. `$input.params(name)` would prefer a query parameter of that name. */
const headerValue = (header: string) => `$input.params().header.get("${header}")`;

/** Reads a header, which can have a name in lower case, into a variable. If it is missing, the value can be null. */
const read = (variable: string, header: string) => `#set($${variable} = ${headerValue(header)})
#if("$!${variable}" == "")#set($${variable} = ${headerValue(header.toLowerCase())})#end`;

const isOneOf = (variable: string, values: readonly string[]) =>
  values.map((value) => `$${variable} == "${value}"`).join(' || ');

/** Sets the variables of the response if the request is permitted. */
const permit = ({ origins, methods, headers = '$!asked', credentials }: Permit) =>
  `#if((${isOneOf('method', methods)}) && (${isOneOf('origin', origins)}))
#set($isPermitted = true)
#set($headers = "${headers}")
#set($credentials = ${credentials})
#end`;

const override = (header: string, value: string) => `#set($context.responseOverride.header.${header} = ${value})`;

/** Chooses among permits by origin and method. API Gateway fails if a template overrides a header twice. */
const templateOf = (permits: readonly Permit[]) => `${read('origin', 'Origin')}
${read('method', 'Access-Control-Request-Method')}
${read('asked', 'Access-Control-Request-Headers')}
#set($isPermitted = false)
#set($headers = "")
#set($credentials = false)
${permits.map(permit).join('\n')}
#if($isPermitted)
${override('Access-Control-Allow-Origin', '$origin')}
${override('Access-Control-Allow-Methods', '$method')}
#if($headers != "")${override('Access-Control-Allow-Headers', '$headers')}#end
#if($credentials)${override('Access-Control-Allow-Credentials', '"true"')}#end
#end`;

/** The headers of every response to a preflight. */
const fixedHeaders = {
  'method.response.header.Access-Control-Max-Age': "'7200'",
  'method.response.header.Vary': "'Origin'",
};

/**
 * The gateway responds to CORS preflights itself, so that a page sees the error of a failing handler instead of a CORS error. For
 * a foreign origin the response names no allowed origin.
 */
export const addPreflight = (resource: IResource, permits: readonly Permit[]): Method => {
  const declared = Object.fromEntries(Object.keys(fixedHeaders).map((parameter) => [parameter, true]));
  return resource.addMethod(
    'OPTIONS',
    new MockIntegration({
      passthroughBehavior: PassthroughBehavior.NEVER,
      requestTemplates: { 'application/json': '{ "statusCode": 204 }' },
      integrationResponses: [
        {
          statusCode: '204',
          responseParameters: fixedHeaders,
          responseTemplates: { 'application/json': templateOf(permits) },
        },
      ],
    }),
    { methodResponses: [{ statusCode: '204', responseParameters: declared }] },
  );
};
