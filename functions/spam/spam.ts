import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { SpamReason } from '../contacts/contact.ts';
import type { BodyFields } from '../http/body.ts';
import { mediaTypeOf } from '../http/media-types.ts';
import type { HttpRequest } from '../http/request.ts';
import { isBlank } from '../shared/text.ts';

/** The defences of an environment, besides a captcha. */
export const spamDefences = v.object({
  /** Form fields that people leave empty. */
  traps: v.array(v.string()),
  /** A form must send a trap, filled or not. */
  requireTrap: v.boolean(),
  /** Zero bits at the beginning of a proof's hash. Absent: no proof is needed. */
  proofBits: v.optional(v.number()),
});

export type SpamDefences = Readonly<v.InferOutput<typeof spamDefences>>;

/** For a checkbox that is off, scripts send `false`, and some forms the word `false` or `off`. */
const isEmpty = (value: unknown): boolean =>
  isBlank(value) || value === false || (typeof value === 'string' && ['false', 'off'].includes(value.trim()));

/** Whether a trap, which people do not see, was filled in. A form can send it more than once. */
const isFilled = (value: unknown): boolean => ![value].flat().every(isEmpty);

/** Whether the body is that of a form. Scripts that send JSON need not know the traps. */
const isForm = (request: HttpRequest): boolean => mediaTypeOf(request).essence !== 'application/json';

const minute = 60_000;

/** A proof is valid for a day before and after its minute, so that wrong clocks do not matter. */
const maxMinutesOff = 24 * 60;

/** `<minute>.<nonce>`, with the Unix time in whole minutes. */
const proofPattern = /^(?<minute>\d+)\.[\w-]{1,32}$/;

/** The parts of a valid contact request that the defences read. */
interface Evidence {
  readonly request: HttpRequest;
  readonly sent: BodyFields;
  /** The origin of the site whose page posted. */
  readonly origin: string | undefined;
  /** The `Idempotency-Key`. It buys one contact request, so nobody can spend a proof twice. */
  readonly key: string | undefined;
  readonly now: Date;
}

/** Whether the field `_proof` is a valid proof of work. */
export const hasProof = (bits: number, { sent, origin, key, now }: Omit<Evidence, 'request'>): boolean => {
  const proof = sent.get('_proof');
  if (typeof proof !== 'string' || origin === undefined || key === undefined) return false;
  const written = proofPattern.exec(proof)?.groups?.['minute'];
  if (written === undefined) return false;
  if (Math.abs(Number(written) - Math.floor(now.getTime() / minute)) > maxMinutesOff) return false;
  // An origin has no blank, and neither has a key: each text has one origin and one key.
  const hash = createHash('sha256').update(`${origin} ${key} ${proof}`).digest();
  return hash.readUIntBE(0, 3) < 2 ** (24 - bits);
};

/** The first defence that catches a contact request; a captcha comes after them. */
export const caughtBy = ({ traps, requireTrap, proofBits }: SpamDefences, evidence: Evidence): SpamReason | false => {
  const { request, sent } = evidence;
  if (traps.some((trap) => isFilled(sent.get(trap)))) return 'trap';
  if (requireTrap && isForm(request) && !traps.some((trap) => sent.has(trap))) return 'no trap';
  if (proofBits !== undefined && !hasProof(proofBits, evidence)) return 'no proof';
  return false;
};

/** Whether a contact request passes a captcha. Passes if the provider gives no verdict. */
export type PassesCaptcha = (
  request: HttpRequest,
  sent: BodyFields,
  idempotencyKey: string | undefined,
) => Promise<boolean>;
