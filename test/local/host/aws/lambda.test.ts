import { InvokeCommand, type InvokeCommandInput } from '@aws-sdk/client-lambda';
import { CfnOutput } from 'aws-cdk-lib';
import { beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../test-host.ts';
import { addIdentity, connect } from './test-services.ts';

let served: Served;

beforeAll(async () => {
  served = await serve((stack) => {
    addIdentity(stack);
    const source = `export const handler = async (event) => {
      if (event.fails) throw new Error('failed on purpose');
      return event.answers ? { got: event } : undefined;
    };`;
    const some = stack.function('Some', source);
    new CfnOutput(stack, 'SomeName', { value: some.functionName });
    new CfnOutput(stack, 'SomeArn', { value: some.functionArn });
    stack.api({ 'GET /': some });
  });
  return served.stop;
});

const invoke = async (input: Partial<InvokeCommandInput>, event?: object) => {
  const { lambda } = await connect(served.dataDir);
  const answer = await lambda.send(
    new InvokeCommand({
      FunctionName: served.outputs['SomeName'],
      ...(event && { Payload: JSON.stringify(event) }),
      ...input,
    }),
  );
  return { ...answer, payload: JSON.parse(answer.Payload?.transformToString() ?? '') };
};

test.each(['SomeName', 'SomeArn'])('a function is invoked by its %s, and its answer comes back', async (name) => {
  const answer = await invoke({ FunctionName: served.outputs[name] }, { answers: true });
  expect(answer).toMatchObject({ StatusCode: 200, ExecutedVersion: '$LATEST', payload: { got: { answers: true } } });
  expect(answer.FunctionError).toBeUndefined();
});

test('no event is an empty one; no answer is null', async () => {
  expect(await invoke({})).toMatchObject({ StatusCode: 200, payload: null });
});

test('a function that fails is told as Lambda tells it', async () => {
  expect(await invoke({}, { fails: true })).toMatchObject({
    StatusCode: 200,
    FunctionError: 'Unhandled',
    payload: { errorType: 'Error', errorMessage: 'failed on purpose' },
  });
});

test('a function that is not there', async () => {
  await expect(invoke({ FunctionName: 'nothing' })).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: 'Function not found: arn:aws:lambda:us-east-1:000000000000:function:nothing',
    $metadata: { httpStatusCode: 404 },
  });
});

test.each<[string, Partial<InvokeCommandInput>, string]>([
  ['without waiting', { InvocationType: 'Event' }, 'invocations of the type Event'],
  ['of a version', { Qualifier: '1' }, 'POST /2015-03-31/functions/'],
])('an invocation %s is not served', async (_, input, what) => {
  await expect(invoke(input)).rejects.toThrow(`The local host does not serve ${what}`);
});
