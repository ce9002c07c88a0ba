import type { Invoke } from '../lambda/function-pool.ts';
import type { FunctionDefinition } from '../template/function-definition.ts';
import { accountId, region } from '../template/intrinsics.ts';
import { fault, notServed, type ServiceCall } from './service-call.ts';

const invocation = /^POST \/2015-03-31\/functions\/([^/?]+)\/invocations$/;

/**
 * AWS Lambda for the template's functions: Invoke, which waits for the answer.
 * https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
 */
export const createLambda =
  (functions: readonly FunctionDefinition[], invoke: Invoke): ServiceCall =>
  async (target, body, headers) => {
    const [, encoded] = invocation.exec(target) ?? [];
    if (encoded === undefined) return notServed(target);
    const type = headers['x-amz-invocation-type'] ?? 'RequestResponse';
    if (type !== 'RequestResponse') return notServed(`invocations of the type ${type}`);
    const id = decodeURIComponent(encoded);
    const found = functions.find(({ name, arn }) => id === name || id === arn);
    if (!found) {
      const arn = id.startsWith('arn:') ? id : `arn:aws:lambda:${region}:${accountId}:function:${id}`;
      return fault(404, 'ResourceNotFoundException', `Function not found: ${arn}`);
    }
    const result = await invoke(found.arn, body ?? {});
    const ofEach = { 'X-Amz-Executed-Version': '$LATEST' };
    return result.ok
      ? { status: 200, headers: ofEach, body: result.payload }
      : {
          status: 200,
          headers: { ...ofEach, 'X-Amz-Function-Error': 'Unhandled' },
          body: { errorType: 'Error', errorMessage: result.errorMessage },
        };
  };
