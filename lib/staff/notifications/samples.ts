import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import type { SampleResult } from '../../../functions/notify/notify.ts';
import { makeClient } from '../../aws/client.ts';
import { printJsonList } from '../command-line/json.ts';
import { withProgress } from '../command-line/progress.ts';
import { StaffError } from '../command-line/staff-error.ts';
import { printTable } from '../command-line/table.ts';
import { count } from '../command-line/text.ts';
import type { NotificationsStaff } from '../context.ts';

/** Longer than the function may take, in milliseconds. */
const patience = 30_000;

const sampleResult: v.GenericSchema<unknown, SampleResult> = v.variant('delivered', [
  v.object({ delivered: v.literal(true), milliseconds: v.number() }),
  v.object({ delivered: v.literal(false), reason: v.string(), milliseconds: v.number() }),
]);

/** A crash or a timeout. Only its class: a message could hold anything. */
const failure = v.object({ errorType: v.pipe(v.string(), v.regex(/^[\w.]{1,60}$/)) });

const answer = v.pipe(v.string(), v.parseJson(), v.union([sampleResult, failure]));

interface Outcome {
  /** Why the target did not get the sample. */
  readonly reason?: string;
  readonly milliseconds?: number;
  /** The error of AWS if it did not invoke the function. */
  readonly error?: unknown;
}

const sendSample = async (client: LambdaClient, FunctionName: string, sample: string): Promise<Outcome> => {
  try {
    const { Payload } = await client.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify({ sample }) }));
    const result = v.safeParse(answer, Payload?.transformToString());
    if (!result.success) return { reason: 'unreadable answer' };
    if ('errorType' in result.output) return { reason: `the function failed (${result.output.errorType})` };
    return result.output;
  } catch (error) {
    return { reason: error instanceof Error ? error.name : String(error), error };
  }
};

const columns = [{ head: 'TARGET' }, { head: 'TO', shrinks: true }, { head: 'RESULT', shrinks: true }, { head: 'MS' }];

/**
 * Sends a sample to each target, all at once, and prints the results.
 * @throws {StaffError} if a target did not get it
 */
export const sendSamples = async (staff: NotificationsStaff, { json }: { readonly json: boolean }): Promise<void> => {
  const { stderr, notifications } = staff;
  const client = makeClient(LambdaClient, notifications.aws, patience);
  const outcomes = await withProgress(staff, ['target', 'answered'], (report) => {
    let answered = 0;
    const all = notifications.targets.map(async (target) => {
      const outcome = await sendSample(client, notifications.notifyFunction, target.name);
      answered += 1;
      report(answered);
      return { target, ...outcome };
    });
    return Promise.all(all);
  }).finally(() => client.destroy());

  const failed = outcomes.filter(({ reason }) => reason !== undefined);
  // Without credentials, permission or network there is no result of any target.
  if (failed.length === outcomes.length && failed.every(({ error }) => error !== undefined)) throw failed[0]?.error;
  if (json) {
    const items = outcomes.map(({ target, reason, milliseconds }) => ({
      target: target.name,
      to: target.address,
      delivered: reason === undefined,
      reason,
      milliseconds,
    }));
    await printJsonList(staff, [items]);
  } else {
    const rows = outcomes.map(({ target, reason = 'delivered', milliseconds }) => [
      target.name,
      target.address,
      reason,
      milliseconds === undefined ? '' : String(Math.round(milliseconds)),
    ]);
    await printTable(staff, columns, [rows]);
  }
  if (notifications.paused) {
    stderr.write(
      'Notifications are paused: only samples are sent, and contact requests trigger none (docs/notifications.md).\n',
    );
  }
  if (failed.length === 0) return;
  throw new StaffError(
    `${failed.length} of ${count(outcomes.length, 'target')} did not get the sample: see docs/runbook.md#notification-retries.`,
  );
};
