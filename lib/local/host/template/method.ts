import * as v from 'valibot';
import type { CheckFunction } from './function-definition.ts';
import { type MockIntegration, mockIntegrationSchema } from './mock-integration.ts';
import { functionUriSchema, noEffect } from './properties.ts';
import { refuse } from './refusal.ts';
import type { ReadResources } from './resources.ts';
import { type Stage, type ThrottleSettings, throttleOf } from './stage.ts';
import { readTokenAuthorizers, type TokenAuthorizer } from './token-authorizer.ts';

/** A method of a resource, and what answers it. */
export interface Method {
  /** The HTTP method that it answers; `ANY` for all. */
  readonly httpMethod: string;
  readonly resourceId: string;
  /** The resource's path, with its parameters in braces. */
  readonly resourcePath: string;
  readonly throttle?: ThrottleSettings | undefined;
  readonly authorizer?: TokenAuthorizer | undefined;
  readonly integration: ProxyIntegration | MockIntegration;
}

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

/** Gives the path of a resource by its id; the root, which is no resource of the template, has none. */
const readPaths = (read: ReadResources): ((resourceId: string) => string) => {
  const resources = new Map(
    read('AWS::ApiGateway::Resource', resourceSchema).map(({ logicalId, properties }) => [logicalId, properties]),
  );
  const pathOf = (resourceId: string): string => {
    const resource = resources.get(resourceId);
    return resource ? `${pathOf(resource.ParentId)}/${resource.PathPart}` : '';
  };
  return pathOf;
};

/**
 * Reads the template's methods.
 * @param checkFunction refuses a function that is not the template's
 */
export const readMethods = (read: ReadResources, stage: Stage, checkFunction: CheckFunction): readonly Method[] => {
  const pathOf = readPaths(read);
  const authorizers = readTokenAuthorizers(read, checkFunction);

  return read('AWS::ApiGateway::Method', methodSchema).map(({ properties, where }) => {
    const { AuthorizationType, AuthorizerId = '', HttpMethod, Integration, ResourceId } = properties;
    if (Integration.Type === 'AWS_PROXY') checkFunction(Integration.Uri, where);
    const resourcePath = pathOf(ResourceId) || '/';
    return {
      httpMethod: HttpMethod,
      resourceId: ResourceId,
      resourcePath,
      throttle: throttleOf(stage, resourcePath, HttpMethod),
      authorizer:
        AuthorizationType === 'CUSTOM'
          ? (authorizers.get(AuthorizerId) ?? refuse(where, `${AuthorizerId} is no authorizer of the template`))
          : undefined,
      integration: Integration,
    };
  });
};
