import * as v from 'valibot';
import { noEffect, statusCodeSchema } from './properties.ts';
import type { ReadResources } from './resources.ts';

/** A `$context` variable in a response template. */
export const contextVariable = /\$context\.[\w.]*\w/g;

const contextVariables = [
  '$context.error.message',
  '$context.error.messageString',
  '$context.error.responseType',
  '$context.requestId',
] as const;

/** One that the gateway has a value for. */
export type ContextVariable = (typeof contextVariables)[number];

const hasOnlyKnownVariables = (template: string): boolean => {
  const known = new Set<string>(contextVariables);
  return (template.match(contextVariable) ?? []).every((variable) => known.has(variable));
};

/** A gateway response whose headers and template can be rendered here. */
const gatewayResponseSchema = v.strictObject({
  ResponseParameters: v.optional(
    v.record(
      v.pipe(v.string(), v.regex(/^gatewayresponse\.header\.[\w-]+$/)),
      // A static text. One of the request's is refused: API Gateway looks header names up by their exact case.
      v.pipe(
        v.string(),
        v.regex(/^'[^']*'$/),
        v.transform((text) => text.slice(1, -1)),
      ),
    ),
    {},
  ),
  ResponseTemplates: v.optional(
    v.strictObject({
      'application/json': v.optional(
        v.pipe(
          v.string(),
          v.check(hasOnlyKnownVariables, ({ input }) => `"${input}" has a variable that is not supported`),
        ),
      ),
    }),
    {},
  ),
  ResponseType: v.string(),
  RestApiId: noEffect,
  StatusCode: v.optional(statusCodeSchema),
});

/** A gateway response of the template. */
export type GatewayResponse = v.InferOutput<typeof gatewayResponseSchema>;

/** Reads the template's gateway responses, by their type. */
export const readGatewayResponses = (read: ReadResources): ReadonlyMap<string, GatewayResponse> =>
  new Map(
    read('AWS::ApiGateway::GatewayResponse', gatewayResponseSchema).map(({ properties }) => [
      properties.ResponseType,
      properties,
    ]),
  );
