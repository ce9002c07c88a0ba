import * as v from 'valibot';
import { type ContactFields, type SpamReason, spamReasons, type staffMark } from '../contacts/contact.ts';
import type { BodyFields } from '../http/body.ts';
import type { Visitor } from '../pages/visitor.ts';
import { isBlank } from '../shared/text.ts';
import { hasProof } from './proof.ts';

/** The defences of an environment, besides a captcha. */
export const spamDefences = v.object({
  /** Form fields that people leave empty. */
  traps: v.array(v.string()),
  /** A form must send a trap, filled or not. */
  requireTrap: v.boolean(),
  /** Zero bits at the beginning of a proof's hash. Absent: no proof is needed. */
  proofBits: v.optional(v.number()),
  /** The settings of content.ts, which is loaded only if they are there. */
  content: v.optional(v.unknown()),
});

/** The parts of a valid contact request that the defences read. */
interface Evidence {
  readonly visitor: Visitor;
  readonly sent: BodyFields;
  /** What will be stored of it. */
  readonly fields: ContactFields;
  /** The `Idempotency-Key`, if one was sent. */
  readonly sentKey: { readonly value?: string };
  /** Is the same if the visitor sends the same again. */
  readonly retryKey: string | undefined;
  /** Whether an earlier request has already stored it. */
  readonly isStored: () => Promise<boolean>;
  readonly receivedAt: Date;
}

/** Whether a contact request passes a captcha. It does if the provider gives no verdict. */
export type PassesCaptcha = (
  evidence: Pick<Evidence, 'visitor' | 'sent' | 'retryKey' | 'isStored'>,
) => Promise<boolean>;

export interface Defences {
  readonly spam: Readonly<v.InferOutput<typeof spamDefences>>;
  /** @defaultValue no captcha */
  readonly captcha?: PassesCaptcha | undefined;
}

/** For a checkbox that is off, scripts send `false`, and some forms the word `false` or `off`. */
const isEmpty = (value: unknown): boolean =>
  isBlank(value) || value === false || (typeof value === 'string' && ['false', 'off'].includes(value.trim()));

/** Whether a trap, which people do not see, was filled in. A form can send it more than once. */
const isFilled = (value: unknown): boolean => ![value].flat().every(isEmpty);

/** Whether a contact request bears a mark of spam. */
type Mark = (evidence: Evidence) => boolean | Promise<boolean>;

type ContentReason = keyof ReturnType<typeof import('./content.ts').contentMarks>;

/** The marks by anything but content. A defence that is off has none. */
const otherMarks = ({ spam: { traps, requireTrap, proofBits }, captcha }: Defences) =>
  ({
    trap: ({ sent }) => traps.some((trap) => isFilled(sent.get(trap))),

    'no trap': requireTrap
      ? ({ visitor, sent }) => visitor.sendsForm && !traps.some((trap) => sent.has(trap))
      : undefined,

    'no proof':
      proofBits === undefined
        ? undefined
        : ({ visitor, sent, sentKey, receivedAt }) =>
            !hasProof(proofBits, { sent, origin: visitor.site?.origin, key: sentKey.value, now: receivedAt }),

    captcha: captcha && (async (evidence) => !(await captcha(evidence))),
  }) satisfies Record<Exclude<SpamReason, ContentReason | typeof staffMark>, Mark | undefined>;

/** The marks in their order. */
const marksOf = async (defences: Defences) => {
  const { content } = defences.spam;
  const byReason: Partial<Record<SpamReason, Mark | undefined>> = otherMarks(defences);
  if (content !== undefined) {
    const { contentMarks, contentSettings } = await import('./content.ts');
    Object.assign(byReason, contentMarks(v.parse(contentSettings, content)));
  }
  return spamReasons.flatMap((reason) => {
    const mark = byReason[reason];
    return mark ? [{ reason, mark }] : [];
  });
};

/** Made when a function starts: it tells why a contact request is spam, of several reasons the first of `spamReasons`. */
export const createJudge = (defences: Defences): ((evidence: Evidence) => Promise<SpamReason | false>) => {
  const marks = marksOf(defences);
  return async (evidence) => {
    for (const { reason, mark } of await marks) if (await mark(evidence)) return reason;
    return false;
  };
};
