import assert from 'node:assert/strict';
import { request, type Scene, secretPattern } from './scene.ts';

/** What the functions log names nobody. */
export const logNobody = async ({ cast }: Scene): Promise<void> => {
  const printed = await cast.emulator.log();
  assert.ok(printed.includes('"notification told"'), 'The log of the functions is not there');
  for (const datum of [request.email, request.lastName, request.message]) {
    assert.ok(!printed.includes(datum), `In a log: ${datum}`);
  }
  assert.deepEqual(printed.match(secretPattern), null);
  cast.steps.say('No log has a datum of the visitor, or a secret, in it');
};
