import * as v from 'valibot';
import type { CheckFunction } from './function-definition.ts';
import { type GatewayResponse, readGatewayResponses } from './gateway-response.ts';
import { type Method, readMethods } from './method.ts';
import { noEffect } from './properties.ts';
import { type ReadResources, readOnlyOne } from './resources.ts';
import { readStage } from './stage.ts';

/** The template's REST API, with its one stage. */
export interface RestApi {
  readonly id: string;
  readonly stage: string;
  readonly stageVariables: Readonly<Record<string, string>> | null;
  /** The media types whose bodies a function gets and gives in base64. */
  readonly binaryMediaTypes: readonly string[];
  readonly methods: readonly Method[];
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

/**
 * Reads the template's REST API.
 * @param checkFunction refuses a function that is not the template's
 */
export const readRestApi = (read: ReadResources, checkFunction: CheckFunction): RestApi => {
  const { logicalId, properties } = readOnlyOne(read, 'AWS::ApiGateway::RestApi', restApiSchema);
  const stage = readStage(read);
  return {
    id: logicalId,
    stage: stage.StageName,
    stageVariables: stage.Variables ?? null,
    binaryMediaTypes: properties.BinaryMediaTypes,
    methods: readMethods(read, stage, checkFunction),
    gatewayResponses: readGatewayResponses(read),
  };
};
