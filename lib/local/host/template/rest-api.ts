import * as v from 'valibot';
import type { CheckFunction } from './function-definition.ts';
import { type GatewayResponse, readGatewayResponses } from './gateway-response.ts';
import { type MockIntegration, mockIntegrationSchema } from './mock-integration.ts';
import { functionUriSchema, noEffect } from './properties.ts';
import { refuse } from './refusal.ts';
import type { ReadResources } from './resources.ts';
import { readTokenAuthorizers, type TokenAuthorizer } from './token-authorizer.ts';

/** How many requests a second a method takes, and how many may come at once. */
export interface ThrottleSettings {
  readonly rate: number;
  readonly burst: number;
}

/** A method of a resource, and what answers it. */
export interface Route {
  /** `ANY` for every method. */
  readonly method: string;
  readonly resourceId: string;
  /** The resource's path, with its parameters in braces. */
  readonly resourcePath: string;
  readonly throttle?: ThrottleSettings | undefined;
  readonly authorizer?: TokenAuthorizer | undefined;
  readonly integration: ProxyIntegration | MockIntegration;
}

/** The template's REST API, with its one stage. */
export interface RestApi {
  readonly id: string;
  readonly stage: string;
  readonly stageVariables: Readonly<Record<string, string>> | null;
  /** The media types whose bodies a function gets and gives in base64. */
  readonly binaryMediaTypes: readonly string[];
  readonly routes: readonly Route[];
  /** By their type. */
  readonly gatewayResponses: ReadonlyMap<string, GatewayResponse>;
}

const restApiSchema = v.strictObject({
  BinaryMediaTypes: v.optional(v.array(v.pipe(v.string(), v.regex(/^(\*\/\*|[^*]+)$/), v.toLowerCase())), []),
  Description: noEffect,
  DisableExecuteApiEndpoint: noEffect,
  EndpointAccessMode: noEffect,
  EndpointConfiguration: noEffect,
  Name: noEffect,
  SecurityPolicy: noEffect,
  Tags: noEffect,
});

const resourceSchema = v.strictObject({ ParentId: v.string(), PathPart: v.string(), RestApiId: noEffect });

const proxyIntegrationSchema = v.strictObject({
  IntegrationHttpMethod: v.literal('POST'),
  PassthroughBehavior: noEffect,
  TimeoutInMillis: v.optional(v.number(), 29_000),
  Type: v.literal('AWS_PROXY'),
  Uri: functionUriSchema,
});

/** An integration that a function answers. */
export type ProxyIntegration = v.InferOutput<typeof proxyIntegrationSchema>;

const methodSchema = v.strictObject({
  ApiKeyRequired: v.optional(v.literal(false)),
  AuthorizationType: v.picklist(['CUSTOM', 'NONE']),
  AuthorizerId: v.optional(v.string()),
  HttpMethod: v.string(),
  Integration: v.variant('Type', [proxyIntegrationSchema, mockIntegrationSchema]),
  MethodResponses: noEffect,
  OperationName: noEffect,
  RequestParameters: noEffect,
  ResourceId: v.string(),
  RestApiId: noEffect,
});

const stageSchema = v.strictObject({
  AccessLogSetting: noEffect,
  DeploymentId: noEffect,
  Description: noEffect,
  MethodSettings: v.optional(
    v.array(
      v.strictObject({
        CachingEnabled: v.optional(v.literal(false)),
        DataTraceEnabled: noEffect,
        HttpMethod: v.string(),
        LoggingLevel: noEffect,
        MetricsEnabled: noEffect,
        ResourcePath: v.string(),
        ThrottlingBurstLimit: v.optional(v.number()),
        ThrottlingRateLimit: v.optional(v.number()),
      }),
    ),
    [],
  ),
  RestApiId: noEffect,
  StageName: v.string(),
  Tags: noEffect,
  TracingEnabled: noEffect,
  Variables: v.optional(v.record(v.string(), v.string())),
});

type MethodSettings = v.InferOutput<typeof stageSchema>['MethodSettings'];

const onlyOne = <T>(items: readonly T[], type: string): T =>
  items.length === 1 && items[0] !== undefined
    ? items[0]
    : refuse(`${items.length} resources of type ${type}`, 'exactly one is supported');

/** A method's throttle: its own, else its resource's, else the stage's. */
const throttleOf = (settings: MethodSettings, path: string, method: string): ThrottleSettings | undefined => {
  // As CloudFormation writes it: a slash, then the path with its own slashes escaped.
  const escapedPath = path === '/' ? '/' : `/${path.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const candidates = [
    [escapedPath, method],
    [escapedPath, '*'],
    ['/*', '*'],
  ];
  for (const [ResourcePath, HttpMethod] of candidates) {
    const found = settings.find((entry) => entry.ResourcePath === ResourcePath && entry.HttpMethod === HttpMethod);
    const { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst } = found ?? {};
    if (rate !== undefined && burst !== undefined) return { rate, burst };
  }
  return undefined;
};

/**
 * Reads the template's REST API.
 * @param checkFunction refuses a function that is not the template's
 */
export const readRestApi = (read: ReadResources, checkFunction: CheckFunction): RestApi => {
  const api = onlyOne(read('AWS::ApiGateway::RestApi', restApiSchema), 'AWS::ApiGateway::RestApi');
  const { properties: stage } = onlyOne(read('AWS::ApiGateway::Stage', stageSchema), 'AWS::ApiGateway::Stage');
  const resources = new Map(
    read('AWS::ApiGateway::Resource', resourceSchema).map(({ logicalId, properties }) => [logicalId, properties]),
  );

  const pathOf = (resourceId: string): string => {
    const resource = resources.get(resourceId);
    return resource ? `${pathOf(resource.ParentId)}/${resource.PathPart}` : '';
  };

  const authorizers = readTokenAuthorizers(read, checkFunction);

  const routes = read('AWS::ApiGateway::Method', methodSchema).map(({ properties, where }): Route => {
    const { AuthorizationType, AuthorizerId = '', HttpMethod: method, Integration: integration } = properties;
    if (integration.Type === 'AWS_PROXY') checkFunction(integration.Uri, where);
    const resourcePath = pathOf(properties.ResourceId) || '/';
    return {
      method,
      resourceId: properties.ResourceId,
      resourcePath,
      throttle: throttleOf(stage.MethodSettings, resourcePath, method),
      authorizer:
        AuthorizationType === 'CUSTOM'
          ? (authorizers.get(AuthorizerId) ?? refuse(where, `${AuthorizerId} is no authorizer of the template`))
          : undefined,
      integration,
    };
  });

  return {
    id: api.logicalId,
    stage: stage.StageName,
    stageVariables: stage.Variables ?? null,
    binaryMediaTypes: api.properties.BinaryMediaTypes,
    routes,
    gatewayResponses: readGatewayResponses(read),
  };
};
