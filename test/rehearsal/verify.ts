import { join } from 'node:path';
import * as v from 'valibot';
import { run } from './command.ts';
import { ownEnvironment, venv } from './install-emulator.ts';
import type { Received } from './receiver.ts';

const verdict = v.pipe(v.string(), v.parseJson(), v.object({ library: v.boolean(), hand: v.boolean() }));

/**
 * Whether a receiver that has one secret takes a webhook for genuine: by the Python library of Standard Webhooks, and by
 * a few lines of Python's hmac.
 * @param now the receiver's time, in milliseconds
 */
export const isGenuine = async (
  { headers, body }: Received,
  secret: string,
  now: number,
  signal: AbortSignal,
): Promise<boolean> => {
  const received = JSON.stringify({ secret, headers, body, now: now / 1000 });
  const script = join(import.meta.dirname, 'verify.py');
  const printed = await run(join(venv, 'bin', 'python'), [script, received], { env: ownEnvironment, signal });
  const { library, hand } = v.parse(verdict, printed);
  if (library !== hand) throw new Error(`A webhook is genuine for one verifier and not for the other: ${printed}`);
  return library;
};
