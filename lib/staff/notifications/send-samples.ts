import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { makeClient } from '../../aws/client.ts';
import { printJsonList } from '../command-line/json.ts';
import { withProgress } from '../command-line/progress.ts';
import { StaffError } from '../command-line/staff-error.ts';
import { printTable } from '../command-line/table.ts';
import { count, printable } from '../command-line/text.ts';
import type { NotificationsStaff } from '../context.ts';
import { adviceFor } from './advice.ts';
import type { Target } from './notifications.ts';

/** Longer than the function may take, in milliseconds. */
const patience = 45_000;

/** What functions/notify/ answers when it is to send a sample. */
const answer = v.pipe(
  v.string(),
  v.parseJson(),
  v.variant('told', [
    v.object({ told: v.literal(true), milliseconds: v.number() }),
    v.object({ told: v.literal(false), reason: v.string(), milliseconds: v.number() }),
  ]),
);

/** Of a failure only its class: a message could hold anything. */
const failure = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ errorType: v.pipe(v.string(), v.regex(/^[\w.]{1,60}$/)) }),
);

interface Outcome {
  readonly target: Target;
  /** Why it was not told. */
  readonly reason?: string;
  readonly milliseconds?: number;
  /** What AWS says, when it did not let the function run. */
  readonly error?: unknown;
}

/** Whether the answer is about the one target that was asked for: no credentials or no network is about none. */
const isOfTarget = ({ error, reason = '' }: Outcome) =>
  error === undefined || /^(AccessDenied|ResourceNotFound)/.test(reason);

const sendSample = async (client: LambdaClient, target: Target): Promise<Outcome> => {
  try {
    const { FunctionError, Payload } = await client.send(
      new InvokeCommand({ FunctionName: target.function, Payload: JSON.stringify({ sample: true }) }),
    );
    const text = Payload?.transformToString();
    if (FunctionError !== undefined) {
      const told = v.safeParse(failure, text);
      return { target, reason: `the function failed (${told.success ? told.output.errorType : FunctionError})` };
    }
    const told = v.safeParse(answer, text);
    if (!told.success) return { target, reason: 'the function is of another version: deploy it again' };
    return { target, ...told.output };
  } catch (error) {
    return { target, reason: error instanceof Error ? error.name : String(error), error };
  }
};

const columns = [{ head: 'TARGET' }, { head: 'TO', shrinks: true }, { head: 'RESULT', shrinks: true }, { head: 'MS' }];

/**
 * Has each target told a sample, all at once, and prints what became of each.
 * @throws {StaffError} when one was not told
 */
export const sendSamples = async (staff: NotificationsStaff, { json }: { readonly json: boolean }): Promise<void> => {
  const { stderr, notifications } = staff;
  const client = makeClient(LambdaClient, notifications.aws, patience);
  const outcomes = await withProgress(staff, ['target', 'answered'], async (report) => {
    let answered = 0;
    const all = notifications.targets.map(async (target) => {
      const outcome = await sendSample(client, target);
      answered += 1;
      report(answered);
      return outcome;
    });
    return Promise.all(all);
  }).finally(() => client.destroy());

  if (!outcomes.some(isOfTarget)) throw outcomes[0]?.error;
  if (json) {
    const items = outcomes.map(({ target, reason, milliseconds }) => ({
      target: target.name,
      to: target.address,
      told: reason === undefined,
      ...(reason !== undefined && { reason }),
      ...(milliseconds !== undefined && { milliseconds }),
    }));
    await printJsonList(staff, [items]);
  } else {
    const rows = outcomes.map(({ target, reason = 'told', milliseconds }) => [
      target.name,
      target.address,
      reason,
      milliseconds === undefined ? '' : String(Math.round(milliseconds)),
    ]);
    await printTable(staff, columns, [rows]);
  }
  if (notifications.paused) {
    stderr.write('Notifications are paused: contact requests are told to nobody (docs/notifications.md, "Paused").\n');
  }
  const failed = outcomes.flatMap(({ target, reason }) => (reason === undefined ? [] : [{ target, reason }]));
  if (failed.length === 0) return;
  for (const { target, reason } of failed) {
    const advice = adviceFor(target, reason);
    if (advice !== undefined) stderr.write(`${printable(`${target.name}, ${reason}: ${advice}`)}\n`);
  }
  const all = count(outcomes.length, 'target');
  throw new StaffError(`${failed.length} of ${all} ${failed.length === 1 ? 'was' : 'were'} not told.`);
};
