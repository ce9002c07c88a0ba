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

/** Checks a captcha. `unknown`: the provider gave no verdict, and the contact request passes. */
export type CheckCaptcha = (
  evidence: Pick<Evidence, 'visitor' | 'sent' | 'retryKey' | 'isStored'>,
) => Promise<'solved' | 'unsolved' | 'unknown'>;

export interface Defences {
  readonly spam: Readonly<v.InferOutput<typeof spamDefences>>;
  /** @defaultValue no captcha */
  readonly captcha?: CheckCaptcha | undefined;
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
const otherMarks = ({ traps, requireTrap, proofBits }: Defences['spam']) =>
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
  }) satisfies Record<Exclude<SpamReason, ContentReason | typeof staffMark | 'captcha'>, Mark | undefined>;

/** The marks in their order. */
const marksOf = async (spam: Defences['spam']) => {
  const { content } = spam;
  const byReason: Partial<Record<SpamReason, Mark | undefined>> = otherMarks(spam);
  if (content !== undefined) {
    const { contentMarks, contentSettings } = await import('./content.ts');
    Object.assign(byReason, contentMarks(v.parse(contentSettings, content)));
  }
  return spamReasons.flatMap((reason) => {
    const mark = byReason[reason];
    return mark ? [{ reason, mark }] : [];
  });
};

/** Zero bits of a proof that cost a browser a moment: fewer prove nothing about who sends a form. */
export const provingBits = 17;

export interface Verdict {
  /** Why it is spam, of several reasons the first of `spamReasons`. */
  readonly spam: SpamReason | false;
  /** Whether a proof of work or the captcha's provider vouches for it. */
  readonly isProved: boolean;
}

/** Made when a function starts: it judges contact requests. What is caught already is not sent to a captcha. */
export const createJudge = ({ spam, captcha }: Defences): ((evidence: Evidence) => Promise<Verdict>) => {
  const marks = marksOf(spam);
  const { proofBits = 0 } = spam;
  return async (evidence) => {
    for (const { reason, mark } of await marks) if (await mark(evidence)) return { spam: reason, isProved: false };
    const checked = await captcha?.(evidence);
    if (checked === 'unsolved') return { spam: 'captcha', isProved: false };
    return { spam: false, isProved: checked === 'solved' || proofBits >= provingBits };
  };
};
