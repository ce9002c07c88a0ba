import * as v from 'valibot';
import type { CheckFunction } from './function-definition.ts';
import { functionUriSchema, noEffect } from './properties.ts';
import type { ReadResources } from './resources.ts';

const headerSource = 'method.request.header.';

/** A TOKEN authorizer: the function that it asks, and about which header. */
const tokenAuthorizerSchema = v.strictObject({
  AuthorizerResultTtlInSeconds: v.optional(v.number(), 300),
  AuthorizerUri: functionUriSchema,
  AuthType: noEffect,
  IdentitySource: v.pipe(
    v.string(),
    v.startsWith(headerSource),
    v.transform((source) => source.slice(headerSource.length)),
  ),
  /** The whole token must match it. */
  IdentityValidationExpression: v.pipe(
    v.optional(v.string(), '.*'),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      try {
        return new RegExp(`^(?:${dataset.value})$`);
      } catch {
        addIssue({ message: `"${dataset.value}" is no regular expression of this machine` });
        return NEVER;
      }
    }),
  ),
  Name: noEffect,
  RestApiId: noEffect,
  Type: v.literal('TOKEN'),
});

/** A TOKEN authorizer of the template. */
export type TokenAuthorizer = v.InferOutput<typeof tokenAuthorizerSchema>;

/**
 * Reads the template's authorizers, by their logical id.
 * @param checkFunction refuses a function that is not the template's
 */
export const readTokenAuthorizers = (
  read: ReadResources,
  checkFunction: CheckFunction,
): ReadonlyMap<string, TokenAuthorizer> =>
  new Map(
    read('AWS::ApiGateway::Authorizer', tokenAuthorizerSchema).map(({ logicalId, properties, where }) => {
      checkFunction(properties.AuthorizerUri, where);
      return [logicalId, properties];
    }),
  );
