import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { toVariables } from '../functions/shared/variables.ts';
import { bundleFunctions } from '../lib/infrastructure/bundle.ts';
import { startCaller } from './callers.ts';
import { contact } from './contact.ts';
import { judgeAll, off } from './defences.ts';
import { inTurns } from './measure.ts';
import { figure, ratio, type Section } from './page.ts';
import { bits, measureProofs } from './proof.ts';
import { recordSenders, simulatedBits } from './senders.ts';
import { bytesOf } from './sizes.ts';
import { create, named, postOf, withVariants } from './variants.ts';

/** A proof for the page that `postOf` posts from. */
const proofOf = (key: string): string => {
  for (let nonce = 0; ; nonce += 1) {
    const proof = `${Math.floor(Date.now() / 60_000)}.${nonce}`;
    const hash = createHash('sha256').update(`https://www.example.com.${key}.${proof}`).digest();
    if (Math.clz32(hash.readUInt32BE()) >= bits) return proof;
  }
};

const captchaHandler = 'create-contact-with-captcha';

/** What the defences cost `create-contact`: its CPU with and without the check of a proof, and its size with a captcha. */
const measureCost = (rounds: number) =>
  withVariants(async (variants, folder) => {
    const variant = named(variants, create);
    const event = postOf(JSON.stringify({ ...contact, 'idempotency-key': 'key', _proof: proofOf('key') }));
    const callers = Object.entries({ off, mark: { ...off, proofBits: bits } }).map(([name, SPAM]) => ({
      name,
      ...startCaller({ ...variant, variables: { ...variant.variables, ...toVariables({ SPAM }) } }),
    }));
    try {
      for (const { call } of callers) await call(3_000, event);
      const measures = callers.map(({ name, call }) => [name, async () => (await call(200, event)).cpu] as const);
      const bundles = await bundleFunctions(join(folder, 'captcha'), [captchaHandler]);
      return {
        check: (await inTurns(rounds, 'off', new Map(measures))).get('mark'),
        bytes: bytesOf(variant),
        bytesWithCaptcha: bytesOf({ ...variant, module: join(bundles, captchaHandler, 'index.mjs') }),
      };
    } finally {
      for (const { stop } of callers) stop();
    }
  });

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export const spam = async (rounds: number): Promise<Section> => {
  const { origin, senders } = await recordSenders(167, 1_000);
  const outcomes = await judgeAll(origin, senders);
  const results = senders.map(({ name, isBot, count }, at) => {
    const ofAll = [...outcomes.values()].map((each) => each[at] ?? { stored: 0, marked: 0 });
    const marked = ofAll.map((outcome) => outcome.marked);
    return { name, isBot, count, stored: Math.max(...ofAll.map(({ stored }) => stored)), marked };
  });
  const totals = (areBots: boolean) => {
    const some = results.filter(({ isBot }) => isBot === areBots);
    const marked = sum(some.map(({ marked }) => marked.at(-1) ?? 0));
    return {
      count: sum(some.map(({ count }) => count)),
      marked,
      passed: sum(some.map(({ stored }) => stored)) - marked,
    };
  };
  const [visitors, bots] = [totals(false), totals(true)];

  const proofs = await measureProofs(Math.min(10, rounds));
  const waits = proofs.map(
    ({ slowdown, median, p95 }) =>
      `${figure(median)} s (95 % within ${figure(p95)} s)${slowdown > 1 ? ` on a CPU ${slowdown} times slower` : ''}`,
  );
  const { check, bytes, bytesWithCaptcha } = await measureCost(rounds);
  const costs = [
    `A proof of work of ${bits} bits takes Chromium ${waits.join(', or ')}, calculated from its tries a second.`,
    `\`create-contact\` computes for ${figure(check?.value ?? Number.NaN)} ms with the check of a proof, ${ratio(check?.ratio ?? Number.NaN)} of the time without it.`,
    `With a captcha, its bundle has ${figure(bytesWithCaptcha / 1000)} KB instead of ${figure(bytes / 1000)} KB.`,
  ];
  return {
    title: 'Spam defences',
    headline: `All spam defences together let ${figure(bots.passed)} of ${figure(bots.count)} posts of bots pass. They mark ${figure(visitors.marked)} of ${figure(visitors.count)} visitors: those without JavaScript.`,
    text: `${costs.map((cost) => `- ${cost}`).join('\n')}

A simulation: of what visitors and bots send from the example site, how many are stored, and how many of these does each [defence](spam.md) mark? Visitors use Chromium, and only they solve the captcha, a stand-in. Proofs have ${simulatedBits} bits.`,
    columns: ['sender', 'sent', 'stored', ...outcomes.keys()],
    rows: results.map(({ name, count, stored, marked }) => [name, ...[count, stored, ...marked].map(figure)]),
  };
};
