import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { Log } from '../host-log.ts';
import type { Invoke } from '../lambda/function-pool.ts';
import type { TokenAuthorizer } from '../template/rest-api.ts';
import { GatewayError } from './gateway-error.ts';
import { type HttpRequest, headerOf } from './http-message.ts';

/**
 * The supported parts of an IAM policy. A policy with others is refused.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html
 */
const outputSchema = v.strictObject({
  principalId: v.string(),
  context: v.optional(v.record(v.string(), v.string()), {}),
  policyDocument: v.strictObject({
    Version: v.literal('2012-10-17'),
    Statement: v.strictTuple([
      v.strictObject({
        Effect: v.picklist(['Allow', 'Deny']),
        Action: v.literal('execute-api:Invoke'),
        Resource: v.union([v.string(), v.array(v.string())]),
      }),
    ]),
  }),
});

type Output = v.InferOutput<typeof outputSchema>;

/** A pattern in which `*` stands for any characters. */
const matches = (pattern: string, arn: string): boolean => {
  const source = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*');
  return new RegExp(`^${source}$`, 's').test(arn);
};

/** The default is to deny. */
const isAllowed = ({ policyDocument }: Output, arn: string): boolean => {
  const [{ Effect, Resource }] = policyDocument.Statement;
  return Effect === 'Allow' && [Resource].flat().some((pattern) => matches(pattern, arn));
};

/** The value of `requestContext.authorizer` in a handler's event: `principalId`, and what the authorizer says besides. */
export type AuthorizerContext = Readonly<Record<string, string>>;

interface CachedPolicy {
  readonly output: Output;
  readonly givenAt: number;
}

/**
 * Authorizes requests by the function of a TOKEN authorizer. It caches the function's policy for the time in the template,
 * and evaluates it for each request.
 * @returns a function that gives the authorizer's context, or throws {GatewayError} for a refused request
 */
export const createTokenAuthorizer = (
  { functionArn, header, tokenPattern, ttlSeconds }: TokenAuthorizer,
  invoke: Invoke,
  { now }: Clock,
  log: Log,
) => {
  /** The policies by their tokens. */
  const cache = new Map<string, CachedPolicy>();

  const isFresh = ({ givenAt }: CachedPolicy) => {
    const age = now() - givenAt;
    // After the clock was set back, the age is negative for a while: a revoked token must not work for as long.
    return age >= 0 && age < ttlSeconds * 1000;
  };

  const ask = async (authorizationToken: string, methodArn: string): Promise<Output> => {
    const result = await invoke(functionArn, { type: 'TOKEN', authorizationToken, methodArn });
    if (!result.ok) {
      throw new GatewayError(result.errorMessage === 'Unauthorized' ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE');
    }
    const output = v.safeParse(outputSchema, result.payload);
    if (output.success) return output.output;
    log('gateway', `${functionArn} gave no valid policy: check ${v.getDotPath(output.issues[0]) ?? 'its type'}`);
    throw new GatewayError('AUTHORIZER_CONFIGURATION_ERROR');
  };

  const outputFor = async (token: string, methodArn: string): Promise<Output> => {
    const found = cache.get(token);
    if (found && isFresh(found)) return found.output;
    cache.delete(token);
    const output = await ask(token, methodArn);
    cache.set(token, { output, givenAt: now() });
    return output;
  };

  return async (request: HttpRequest, methodArn: string): Promise<AuthorizerContext> => {
    const token = headerOf(request.headers, header);
    if (!token || !tokenPattern.test(token)) throw new GatewayError('UNAUTHORIZED');
    const output = await outputFor(token, methodArn);
    if (!isAllowed(output, methodArn)) throw new GatewayError('ACCESS_DENIED');
    return { ...output.context, principalId: output.principalId };
  };
};
