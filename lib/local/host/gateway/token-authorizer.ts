import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { Invoke } from '../lambda/function-pool.ts';
import type { Log } from '../log.ts';
import type { TokenAuthorizer } from '../template/token-authorizer.ts';
import { GatewayError } from './gateway-error.ts';
import { type HttpRequest, headerOf } from './http-message.ts';
import { evaluatePolicy, policySchema } from './policy.ts';

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html */
const outputSchema = v.object({
  principalId: v.optional(v.string()),
  policyDocument: policySchema,
  context: v.optional(v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))), {}),
});

type AuthorizerOutput = v.InferOutput<typeof outputSchema>;

const explicitDenyMessage =
  'User is not authorized to access this resource with an explicit deny in an identity-based policy';

/** What a handler finds in `requestContext.authorizer`: every value as text. */
export type AuthorizerContext = Readonly<Record<string, string>>;

/**
 * Lets a TOKEN authorizer's function judge requests, and keeps its output for as long as the template says: the kept
 * policy is evaluated anew for each request.
 * @returns a function that gives the authorizer's context, or throws {GatewayError} for a request that is not allowed
 */
export const createTokenAuthorizer = (authorizer: TokenAuthorizer, invoke: Invoke, { now }: Clock, log: Log) => {
  const { AuthorizerUri, IdentitySource, IdentityValidationExpression } = authorizer;
  const kept = new Map<string, { output: AuthorizerOutput; until: number }>();

  const ask = async (authorizationToken: string, methodArn: string): Promise<AuthorizerOutput> => {
    const result = await invoke(AuthorizerUri, { type: 'TOKEN', authorizationToken, methodArn });
    if (!result.ok) {
      throw new GatewayError(result.errorMessage === 'Unauthorized' ? 'UNAUTHORIZED' : 'AUTHORIZER_FAILURE');
    }
    const output = v.safeParse(outputSchema, result.payload);
    if (output.success) return output.output;
    log('gateway', `${AuthorizerUri} gave no valid policy: see ${v.getDotPath(output.issues[0]) ?? 'its type'}`);
    throw new GatewayError('AUTHORIZER_CONFIGURATION_ERROR');
  };

  const outputFor = async (token: string, methodArn: string): Promise<AuthorizerOutput> => {
    const found = kept.get(token);
    if (found && now() < found.until) return found.output;
    const output = await ask(token, methodArn);
    kept.set(token, { output, until: now() + authorizer.AuthorizerResultTtlInSeconds * 1000 });
    return output;
  };

  return async (request: HttpRequest, methodArn: string): Promise<AuthorizerContext> => {
    const token = headerOf(request.headers, IdentitySource);
    if (!token || !IdentityValidationExpression.test(token)) throw new GatewayError('UNAUTHORIZED');

    const { policyDocument, context, principalId } = await outputFor(token, methodArn);
    const decision = evaluatePolicy(policyDocument, 'execute-api:Invoke', methodArn);
    if (decision === 'implicit deny') throw new GatewayError('ACCESS_DENIED');
    if (decision === 'explicit deny') throw new GatewayError('ACCESS_DENIED', explicitDenyMessage);

    const values = Object.entries(context).filter(([, value]) => value !== null);
    return {
      ...Object.fromEntries(values.map(([name, value]) => [name, String(value)])),
      ...(principalId !== undefined && { principalId }),
    };
  };
};
