import { programName } from '../command-line/help.ts';
import { count } from '../command-line/text.ts';
import type { DeadLetter } from './dead-letter.ts';

/** The list has a contact request's place, which is a moment before its record arrives in the stream, in milliseconds. */
const margin = 60 * 1000;

/** What was sent to a target again. */
interface Sent {
  amount: number;
  readonly tries: Set<number>;
  readonly reasons: Map<string, number>;
}

/** What became of each dead letter, in numbers: nothing of what was in them. */
export interface Tally {
  sent(target: string, letter: DeadLetter): void;
  left(letter: DeadLetter): void;
  sentInAll(): number;
  /** What was sent, a row a target. */
  toRows(): readonly (readonly string[])[];
  /** What was left, and what can be done about it. */
  linesOfLeft(): readonly string[];
  toJson(): object;
}

const add = <Key>(counts: Map<Key, number>, key: Key) => counts.set(key, (counts.get(key) ?? 0) + 1);

/** @param chosenBy how the environment is chosen on the command line */
export const openTally = (chosenBy: string): Tally => {
  const targets = new Map<string, Sent>();
  const gone = new Map<string, number>();
  const pipe = { amount: 0, since: Infinity, until: -Infinity };
  let [later, unknown] = [0, 0];

  const range = () => ({
    since: new Date(pipe.since - margin).toISOString(),
    until: new Date(pipe.until + margin).toISOString(),
  });
  const sentOf = (name: string) => {
    const sent = targets.get(name) ?? { amount: 0, tries: new Set(), reasons: new Map() };
    targets.set(name, sent);
    return sent;
  };
  const sorted = () => [...targets].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const triesOf = ({ tries }: Sent) =>
    tries.size > 0 ? { fewest: Math.min(...tries), most: Math.max(...tries) } : undefined;

  return {
    sent: (target, { tries, reason }) => {
      const sent = sentOf(target);
      sent.amount += 1;
      if (tries !== undefined) sent.tries.add(tries);
      // SQS itself gives no reason: the function was received so often, and neither told nor gave up.
      add(sent.reasons, reason ?? 'the function failed');
    },
    left: ({ of }) => {
      if (!of) unknown += 1;
      else if ('target' in of) later += 1;
      else if ('gone' in of) add(gone, of.gone);
      else {
        pipe.amount += 1;
        pipe.since = Math.min(pipe.since, Date.parse(of.first));
        pipe.until = Math.max(pipe.until, Date.parse(of.last));
      }
    },
    sentInAll: () => [...targets.values()].reduce((sum, { amount }) => sum + amount, 0),
    toRows: () =>
      sorted().map(([name, sent]) => {
        const { fewest, most } = triesOf(sent) ?? {};
        const reasons = [...sent.reasons].map(([reason, amount]) => `${reason} (${amount})`);
        const tries = fewest === most ? `${most ?? ''}` : `${fewest} to ${most}`;
        return [name, String(sent.amount), tries, reasons.join(', ')];
      }),
    linesOfLeft: () => [
      ...(later > 0 ? [`Left ${later} that came while this ran: see why by "notifications test".`] : []),
      ...[...gone].map(
        ([name, amount]) =>
          `Left ${amount} of ${name}, which is no target any more: they can be sent once it is back in the settings, and end after 14 days (docs/operation.md, "Send again what was given up").`,
      ),
      ...(pipe.amount > 0
        ? [
            `Left ${count(pipe.amount, 'message')} of the pipe, which say only when those came that nobody was told: "${programName} contacts list --since ${range().since} --until ${range().until} ${chosenBy}" shows them.`,
          ]
        : []),
      ...(unknown > 0
        ? [`Left ${unknown} of which nobody knows what they are (docs/operation.md, "Send again what was given up").`]
        : []),
    ],
    toJson: () => ({
      targets: sorted().map(([target, sent]) => ({
        target,
        sent: sent.amount,
        ...(triesOf(sent) && { tries: triesOf(sent) }),
        reasons: Object.fromEntries(sent.reasons),
      })),
      left: {
        later,
        gone: Object.fromEntries(gone),
        pipe: pipe.amount > 0 ? { amount: pipe.amount, ...range() } : { amount: 0 },
        unknown,
      },
    }),
  };
};
