import * as v from 'valibot';
import { type FunctionDefinition, findByArn } from './definitions.ts';
import { refuse } from './intrinsics.ts';
import { type Resources, singleResource } from './resources.ts';

/** The REST API, with its one stage. */
export interface RestApi {
  readonly id: string;
  readonly stage: string;
  /** The media types whose bodies functions get in base64. */
  readonly binaryMediaTypes: readonly string[];
  readonly methods: readonly Method[];
  /** The responses to the gateway's own errors, by type. */
  readonly gatewayResponses: ReadonlyMap<string, StaticResponse>;
}

/** A method of a resource, and its integration. */
export interface Method {
  readonly httpMethod: string;
  /** The resource's path, with its parameters in braces. */
  readonly resourcePath: string;
  readonly throttle: Throttle | undefined;
  readonly authorizer: TokenAuthorizer | undefined;
  /** A function's ARN, or the gateway's own response, with a mapping template as the body. */
  readonly integration: string | StaticResponse;
}

/** Requests per second, and how many may arrive at once. */
interface Throttle {
  readonly rate: number;
  readonly burst: number;
}

export interface TokenAuthorizer {
  readonly functionArn: string;
  /** The name of the header with the token. */
  readonly header: string;
  readonly tokenPattern: RegExp;
  /** How long the gateway caches a response. */
  readonly ttlSeconds: number;
}

type Headers = readonly (readonly [name: string, value: string])[];

/** A response that stands in the template. */
export interface StaticResponse {
  readonly statusCode: number | undefined;
  readonly headers: Headers;
  readonly body: string | undefined;
}

const statusCode = v.pipe(v.string(), v.regex(/^[2-5]\d\d$/), v.transform(Number));

/** Static headers. Values from the request are refused: API Gateway looks up header names case-sensitively. */
const staticHeaders = v.pipe(
  v.optional(
    v.record(
      v.pipe(v.string(), v.regex(/^(gatewayresponse|method\.response)\.header\.[\w-]+$/)),
      v.pipe(v.string(), v.regex(/^'[^']*'$/)),
    ),
    {},
  ),
  v.transform(
    (parameters): Headers =>
      Object.entries(parameters).map(([name, value]) => [name.slice(name.lastIndexOf('.') + 1), value.slice(1, -1)]),
  ),
);

const readGatewayResponses = (resources: Resources): ReadonlyMap<string, StaticResponse> => {
  const staticText = v.pipe(v.string(), v.regex(/^[^$]*$/, 'variables are not supported'));
  const templates = v.optional(v.strictObject({ 'application/json': v.optional(staticText) }), {});
  return new Map(
    resources('AWS::ApiGateway::GatewayResponse').map(({ get }) => [
      get('ResponseType', v.string()),
      {
        statusCode: get('StatusCode', v.optional(statusCode)),
        headers: get('ResponseParameters', staticHeaders),
        body: get('ResponseTemplates', templates)['application/json'],
      },
    ]),
  );
};

/** The ARN in the URI by which API Gateway invokes a function. */
const functionUri = v.pipe(
  v.string(),
  v.transform((uri) => /\/functions\/(arn:.+)\/invocations$/.exec(uri)?.[1] ?? uri),
);

const headerSource = 'method.request.header.';

/** The authorizers by their names. */
const readAuthorizers = (
  resources: Resources,
  functions: readonly FunctionDefinition[],
): ReadonlyMap<string, TokenAuthorizer> =>
  new Map(
    resources('AWS::ApiGateway::Authorizer').map(({ name, where, get }) => {
      get('Type', v.literal('TOKEN'));
      const pattern = get('IdentityValidationExpression', v.optional(v.string(), '.*'));
      const authorizer: TokenAuthorizer = {
        functionArn: findByArn(functions, get('AuthorizerUri', functionUri), where).arn,
        header: get('IdentitySource', v.pipe(v.string(), v.startsWith(headerSource))).slice(headerSource.length),
        tokenPattern: new RegExp(`^(?:${pattern})$`),
        ttlSeconds: get('AuthorizerResultTtlInSeconds', v.optional(v.number(), 300)),
      };
      return [name, authorizer];
    }),
  );

/** A mapping template. It can use only `$input.params().header.get(name)` and `$context`. */
const mappingTemplate = v.pipe(
  v.string(),
  v.regex(
    /^(?!.*\$!?\{?(?:input(?!\.params\(\)\.header\.get\()|util|stageVariables)\b).*$/s,
    'it has a variable that is not supported',
  ),
);

const mockResponses = v.strictTuple([
  v.strictObject({
    ResponseParameters: staticHeaders,
    ResponseTemplates: v.optional(v.strictObject({ 'application/json': mappingTemplate })),
    StatusCode: statusCode,
  }),
]);

const throttlesSchema = v.optional(
  v.array(
    v.object({
      CachingEnabled: v.optional(v.literal(false)),
      HttpMethod: v.string(),
      ResourcePath: v.string(),
      ThrottlingBurstLimit: v.optional(v.number()),
      ThrottlingRateLimit: v.optional(v.number()),
    }),
  ),
  [],
);

/** @returns a function that finds a method's throttle: its own, or the stage's */
const readThrottles = (settings: v.InferOutput<typeof throttlesSchema>) => {
  const find = (path: string, method: string): Throttle | undefined => {
    const found = settings.find(({ ResourcePath, HttpMethod }) => ResourcePath === path && HttpMethod === method);
    const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = found ?? {};
    return rate === undefined || burst === undefined ? undefined : { rate, burst };
  };
  // CloudFormation writes a slash, then the path with its slashes escaped.
  return (path: string, method: string) => find(`/${path.replaceAll('/', '~1')}`, method) ?? find('/*', '*');
};

/** @returns a function that finds the path of a resource by its id. The root is not in the template. */
const readPaths = (resources: Resources) => {
  const parts = new Map(
    resources('AWS::ApiGateway::Resource').map(({ name, get }) => [
      name,
      {
        parent: get('ParentId', v.string()),
        part: get('PathPart', v.pipe(v.string(), v.regex(/^[^+]*$/, 'greedy parameters are not supported'))),
      },
    ]),
  );
  const pathOf = (resourceId: string): string => {
    const resource = parts.get(resourceId);
    return resource ? `${pathOf(resource.parent)}/${resource.part}` : '';
  };
  return (resourceId: string) => pathOf(resourceId) || '/';
};

export const readRestApi = (resources: Resources, functions: readonly FunctionDefinition[]): RestApi => {
  const api = singleResource(resources, 'AWS::ApiGateway::RestApi');
  const stage = singleResource(resources, 'AWS::ApiGateway::Stage');
  const pathOf = readPaths(resources);
  const throttleOf = readThrottles(stage.get('MethodSettings', throttlesSchema));
  const authorizers = readAuthorizers(resources, functions);

  const methods = resources('AWS::ApiGateway::Method').map(({ where, get }): Method => {
    const httpMethod = get('HttpMethod', v.pipe(v.string(), v.notValue('ANY')));
    const resourcePath = pathOf(get('ResourceId', v.string()));
    const isOpen = get('AuthorizationType', v.picklist(['CUSTOM', 'NONE'])) === 'NONE';
    const authorizerId = get('AuthorizerId', v.optional(v.string(), ''));

    const readMock = (): StaticResponse => {
      get('Integration.PassthroughBehavior', v.literal('NEVER'));
      get('Integration.RequestTemplates', v.strictObject({ 'application/json': v.string() }));
      const [response] = get('Integration.IntegrationResponses', mockResponses);
      return {
        statusCode: response.StatusCode,
        headers: response.ResponseParameters,
        body: response.ResponseTemplates?.['application/json'],
      };
    };
    const isMock = get('Integration.Type', v.picklist(['AWS_PROXY', 'MOCK'])) === 'MOCK';
    return {
      httpMethod,
      resourcePath,
      throttle: throttleOf(resourcePath, httpMethod),
      authorizer: isOpen
        ? undefined
        : (authorizers.get(authorizerId) ?? refuse(where, `${authorizerId} is no authorizer of the template`)),
      integration: isMock ? readMock() : findByArn(functions, get('Integration.Uri', functionUri), where).arn,
    };
  });

  const mediaType = v.pipe(v.string(), v.regex(/^[^*]+$/), v.toLowerCase());
  return {
    id: api.name,
    stage: stage.name,
    binaryMediaTypes: api.get('BinaryMediaTypes', v.optional(v.array(mediaType), [])),
    methods,
    gatewayResponses: readGatewayResponses(resources),
  };
};
