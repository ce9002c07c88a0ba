import * as v from 'valibot';
import type { Clock } from '../clock.ts';
import type { Log } from '../host-log.ts';
import type { Invoke } from '../lambda/function-pool.ts';
import { readOwnFile, writeOwnFile } from '../store/own-file.ts';
import type { Schedule } from '../template/event-sources.ts';
import { createEventSource } from './event-source.ts';

const file = 'schedules.json';

/** When each schedule ran last, or was first seen: milliseconds since the epoch, by name. */
const runsSchema = v.record(v.string(), v.number());

/**
 * The event of a schedule. It has only the parts that the service reads.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-service-event.html
 */
const toEvent = (now: number) => ({
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  time: new Date(now).toISOString(),
});

/**
 * Invokes functions at regular intervals, as EventBridge does. A file of the data directory keeps when: what became due while the
 * service was stopped runs at its start, once.
 * @throws {Error} one line if that file cannot be read
 */
export const createSchedules = async (
  dataDir: string,
  schedules: readonly Schedule[],
  { invoke, clock, log }: { readonly invoke: Invoke; readonly clock: Clock; readonly log: Log },
) => {
  const kept = (await readOwnFile(dataDir, file, runsSchema, 'delete it')) ?? {};
  const now = clock.now();
  // After the clock was set back, the last run may seem to come.
  const runs = new Map(schedules.map(({ name }) => [name, Math.min(kept[name] ?? now, now)]));
  const save = () => writeOwnFile(dataDir, file, JSON.stringify(Object.fromEntries(runs)));
  if (schedules.some(({ name }) => kept[name] === undefined)) await save();

  const sources = schedules.map(({ name, functionArn, intervalMilliseconds }) => {
    const find = async () => {
      const nextDueAt = (runs.get(name) ?? now) + intervalMilliseconds;
      if (nextDueAt > clock.now()) return { nextDueAt };
      const deliver = async () => {
        const result = await invoke(functionArn, toEvent(clock.now()));
        if (!result.ok) throw new Error(result.errorMessage);
        runs.set(name, clock.now());
        await save();
      };
      return { deliver };
    };
    const report = (error: unknown) => log('schedules', `${name}: ${error instanceof Error ? error.message : error}`);
    return createEventSource({ concurrency: 1, find, report }, clock);
  });
  return {
    start: (): void => {
      for (const { start } of sources) start();
    },
    /** Begins no more invocations, and waits for those under way. */
    close: async (): Promise<void> => {
      await Promise.all(sources.map(({ close }) => close()));
    },
  };
};
