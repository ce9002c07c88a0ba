import { createHash } from 'node:crypto';
import type { BodyFields } from '../http/body.ts';

const minute = 60_000;

/** A proof is valid for a day before and after its minute, so that wrong clocks do not matter. */
const maxMinutesOff = 24 * 60;

/** `<minute>.<nonce>`, with the Unix time in whole minutes. */
const proofPattern = /^(?<minute>\d+)\.[\w-]{1,32}$/;

interface Proven {
  readonly sent: BodyFields;
  /** The origin of the site whose page sends the form. */
  readonly origin: string | undefined;
  /** The `Idempotency-Key`. It buys one contact request, so nobody can spend a proof twice. */
  readonly key: string | undefined;
  readonly now: Date;
}

/**
 * Whether the field `_proof` is a valid proof of work.
 * @param bits zero bits at the beginning of its hash
 */
export const hasProof = (bits: number, { sent, origin, key, now }: Proven): boolean => {
  const proof = sent.get('_proof');
  if (typeof proof !== 'string' || origin === undefined || key === undefined) return false;
  const minuteOfProof = proofPattern.exec(proof)?.groups?.['minute'];
  if (minuteOfProof === undefined) return false;
  if (Math.abs(Number(minuteOfProof) - Math.floor(now.getTime() / minute)) > maxMinutesOff) return false;
  // Neither an origin nor a key holds a blank, so no other origin and key make the same text.
  const hash = createHash('sha256').update(`${origin} ${key} ${proof}`).digest();
  return hash.readUIntBE(0, 3) < 2 ** (24 - bits);
};
