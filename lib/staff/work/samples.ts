import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import type { SampleResult } from '../../../functions/notify/notify.ts';
import { StaffError } from '../../shared/staff-error.ts';
import { count } from '../../shared/terminal-text.ts';
import type { StaffEnvironment } from '../environment/staff-environment.ts';
import { findTargets } from '../environment/staff-environment.ts';
import type { Result } from '../tool/command.ts';

/** Milliseconds for a response; the function `notify` times out earlier. */
const timeout = 30_000;

const sampleResult: v.GenericSchema<unknown, SampleResult> = v.variant('delivered', [
  v.object({ delivered: v.literal(true), milliseconds: v.number() }),
  v.object({ delivered: v.literal(false), reason: v.string(), milliseconds: v.number() }),
]);

/** A crash or a timeout. Only its class is printed: the message could hold personal data. */
const crash = v.object({ errorType: v.pipe(v.string(), v.regex(/^[\w.]{1,60}$/)) });

const sampleResponse = v.pipe(v.string(), v.parseJson(), v.union([sampleResult, crash]));

interface Outcome {
  readonly reason?: string;
  readonly milliseconds?: number;
  /** The error of AWS if it did not invoke the function. */
  readonly error?: unknown;
}

const sendSample = async (client: LambdaClient, FunctionName: string, sample: string): Promise<Outcome> => {
  try {
    const { Payload } = await client.send(new InvokeCommand({ FunctionName, Payload: JSON.stringify({ sample }) }));
    const result = v.safeParse(sampleResponse, Payload?.transformToString());
    if (!result.success) return { reason: 'unreadable response' };
    if ('errorType' in result.output) return { reason: `the function failed (${result.output.errorType})` };
    return result.output;
  } catch (error) {
    return { reason: error instanceof Error ? error.name : String(error), error };
  }
};

const paused =
  'Notifications are paused: samples are sent, but contact requests trigger no notification, see docs/notifications.md#paused.';

/**
 * Sends a sample to each target, all at once.
 * @throws the error of AWS if it refuses every sample
 */
export const sendSamples = async (environment: StaffEnvironment): Promise<Result> => {
  const { targets, notifyFunction } = findTargets(environment);
  const client = environment.client(LambdaClient, timeout);
  const outcomes = await Promise.all(
    targets.map(async ({ name, address }) => {
      const outcome = await sendSample(client, notifyFunction, name);
      return { name, address, ...outcome };
    }),
  );

  const failed = outcomes.filter(({ reason }) => reason !== undefined);
  // If AWS refuses every call, the targets are not to blame.
  if (failed.length === outcomes.length && failed.every(({ error }) => error !== undefined)) throw failed[0]?.error;
  const items = outcomes.map(({ name, address, reason, milliseconds }) => ({
    target: name,
    to: address,
    delivered: reason === undefined,
    reason,
    milliseconds,
  }));
  const rows = outcomes.map(({ name, address, reason = 'delivered', milliseconds }) => [
    name,
    reason,
    milliseconds === undefined ? '' : String(Math.round(milliseconds)),
    // The address comes last, because it can be longer than the line.
    address,
  ]);
  return {
    json: [items],
    text: { heads: ['TARGET', 'RESULT', 'MS', 'TO'], rows: [rows] },
    note: environment.settings.notificationsPaused ? () => paused : undefined,
    error:
      failed.length > 0
        ? new StaffError(
            `${failed.length} of ${count(outcomes.length, 'target')} did not get the sample: see docs/runbook.md#notification-retries.`,
          )
        : undefined,
  };
};
