import { ConditionalCheckFailedException, InternalServerError } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { type CreateContactOptions, createContact } from '../functions/contacts/create.ts';
import { formFields } from '../functions/contacts/form-fields.ts';
import { sitesByOrigin } from '../functions/contacts/site.ts';
import type { PassesCaptcha, SpamDefences, SpamReason } from '../functions/contacts/spam.ts';
import { contactStore } from '../functions/contacts/store.ts';
import { createDocumentClient } from '../functions/shared/dynamodb.ts';
import { withoutLogging } from '../functions/shared/log.ts';
import { callerOf } from '../test/support/call.ts';
import { captchaAnswer, type Sender, simulatedBits } from './senders.ts';

const off: SpamDefences = { traps: [], requireTrap: false };
const traps = [...formFields.traps];

/** An environment with one defence, or with all of them. */
interface Defence {
  readonly name: string;
  readonly spam: SpamDefences;
  readonly hasCaptcha?: boolean;
  /** Counts what was marked for this reason. @defaultValue any */
  readonly reason?: SpamReason;
}

const defences: readonly Defence[] = [
  { name: 'trap', spam: { ...off, traps } },
  { name: '`requireTrap`', spam: { traps, requireTrap: true }, reason: 'no trap' },
  { name: '`proofOfWork`', spam: { ...off, proofBits: simulatedBits } },
  { name: '`captcha`', spam: off, hasCaptcha: true },
  { name: 'all four', spam: { traps, requireTrap: true, proofBits: simulatedBits }, hasCaptcha: true },
];

const put = v.object({ Item: v.looseObject({ id: v.string() }) });

/** A store that keeps contact requests in memory. */
const memoryStore = () => {
  const client = createDocumentClient();
  const items = new Map<string, v.InferOutput<typeof put>['Item']>();
  client.middlewareStack.add(
    () => async (args) => {
      const { Item: item } = v.parse(put, args.input);
      const existing = items.get(item.id);
      if (existing) throw new ConditionalCheckFailedException({ message: '', $metadata: {}, Item: marshall(existing) });
      items.set(item.id, item);
      return { output: { $metadata: {} }, response: undefined };
    },
    { step: 'initialize' },
  );
  return contactStore(client, 'contacts');
};

/** In place of a provider: a person's answer is valid for one key, as Turnstile's answers are. */
const standInCaptcha = (): PassesCaptcha => {
  const keys = new Map<string, string | undefined>();
  return async (_, sent, key) => {
    const answer = sent.get(captchaAnswer.field);
    if (typeof answer !== 'string' || !answer.startsWith(captchaAnswer.start)) return false;
    if (!keys.has(answer)) keys.set(answer, key);
    return keys.get(answer) === key;
  };
};

interface Outcome {
  readonly stored: number;
  readonly marked: number;
}

/** Gives the posts of all senders to an environment with a defence. @returns the outcome of each sender */
const judge = async (
  { name, spam, hasCaptcha, reason }: Defence,
  origin: string,
  senders: readonly Sender[],
): Promise<Outcome[]> => {
  const store = memoryStore();
  const options: Omit<CreateContactOptions, 'store' | 'now'> = {
    sites: sitesByOrigin([{ origin, language: 'en' }]),
    forms: new Map(),
    spam,
    captcha: hasCaptcha ? standInCaptcha() : undefined,
    extraFields: 'keep',
    count: () => {},
  };

  const outcomeOf = async ({ posts, ...sender }: Sender): Promise<Outcome> => {
    let [stored, marked] = [0, 0];
    for (const { isLost, at, ...request } of posts) {
      const create: CreateContactOptions['store']['create'] = async (input) => {
        if (isLost) throw new InternalServerError({ message: '', $metadata: { httpStatusCode: 500 } });
        const result = await store.create(input);
        if (result.outcome === 'created') {
          stored += 1;
          if (input.spam && (reason ?? input.spam) === input.spam) marked += 1;
        }
        return result;
      };
      const call = callerOf('POST /api/v1/contact', createContact({ ...options, store: { create }, now: () => at }));
      const { status, text } = await call(request);
      if (isLost ? status !== 503 : ![201, 303, 422].includes(status))
        throw new Error(`${name}, ${sender.name}: ${status} ${text}`);
    }
    return { stored, marked };
  };

  const outcomes: Outcome[] = [];
  for (const sender of senders) outcomes.push(await outcomeOf(sender));
  return outcomes;
};

/**
 * Gives what was sent to each defence in turn.
 * @returns by the name of the defence, in the order of the senders
 */
export const judgeAll = async (
  origin: string,
  senders: readonly Sender[],
): Promise<Map<string, readonly Outcome[]>> => {
  const outcomes = new Map<string, readonly Outcome[]>();
  await withoutLogging(async () => {
    for (const defence of defences) outcomes.set(defence.name, await judge(defence, origin, senders));
  });
  return outcomes;
};
