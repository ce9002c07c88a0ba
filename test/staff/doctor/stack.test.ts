import { expect, it } from 'vitest';
import { startWorld } from './world.ts';

it.each(['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'IMPORT_COMPLETE'])(
  'takes a stack that is %s for well',
  async (state) => {
    const world = await startWorld();
    world.stack.StackStatus = state;
    expect(await world.foundBy('stack')).toEqual([]);
  },
);

it.each([
  [
    'UPDATE_ROLLBACK_COMPLETE',
    'note: The last deployment failed and was undone. -> npx cdk deploy ContactService-dev says why.',
  ],
  [
    'UPDATE_IN_PROGRESS',
    'note: The stack is being changed (UPDATE_IN_PROGRESS). -> Ask again when the deployment has ended.',
  ],
  [
    'UPDATE_ROLLBACK_FAILED',
    'wrong: A deployment failed, and so did what was to undo it. -> aws cloudformation continue-update-rollback --stack-name ContactService-dev --region eu-central-1',
  ],
  [
    'ROLLBACK_COMPLETE',
    'wrong: The stack was not made or deleted to its end (ROLLBACK_COMPLETE). -> npx cdk deploy ContactService-dev',
  ],
  [
    'DELETE_FAILED',
    'wrong: The stack was not made or deleted to its end (DELETE_FAILED). -> npx cdk deploy ContactService-dev',
  ],
])('says what a stack is that is %s', async (state, finding) => {
  const world = await startWorld();
  world.stack.StackStatus = state;
  expect(await world.foundBy('stack')).toEqual([finding]);
});

it('misses the termination protection where the environment retains its data, and only there', async () => {
  const world = await startWorld();
  world.stack.EnableTerminationProtection = false;
  expect(await world.foundBy('stack')).toEqual([
    'wrong: The stack has no termination protection, although the environment retains its data. -> aws cloudformation update-termination-protection --enable-termination-protection --stack-name ContactService-dev --region eu-central-1',
  ]);
  world.retain(false);
  expect(await world.foundBy('stack')).toEqual([]);
});
