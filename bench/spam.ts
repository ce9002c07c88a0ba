import { judgeAll } from './defences.ts';
import { figure, type Section } from './page.ts';
import { bits, measureProofs } from './proof.ts';
import { recordSenders, simulatedBits } from './senders.ts';

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
  return {
    title: 'Spam defences',
    headline: `All spam defences together let ${figure(bots.passed)} of ${figure(bots.count)} posts of bots pass. They mark ${figure(visitors.marked)} of ${figure(visitors.count)} visitors: those without JavaScript.`,
    text: `A proof of work of ${bits} bits takes Chromium ${waits.join(', or ')}, calculated from its tries a second.

A simulation: of what visitors and bots send from the example site, how many are stored, and how many of these does each [defence](spam.md) mark? Visitors use Chromium, and only they solve the captcha, a stand-in. Proofs have ${simulatedBits} bits.`,
    columns: ['sender', 'sent', 'stored', ...outcomes.keys()],
    rows: results.map(({ name, count, stored, marked }) => [name, ...[count, stored, ...marked].map(figure)]),
  };
};
