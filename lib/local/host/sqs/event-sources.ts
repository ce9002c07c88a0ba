import type { Clock } from '../clock.ts';
import type { LockedData } from '../dynamodb/data-lock.ts';
import type { Invoke } from '../lambda/function-pool.ts';
import type { Log } from '../log.ts';
import type { QueueSource } from '../template/event-sources.ts';
import { createEventSource } from './event-source.ts';

/** Everything that invokes functions with the messages of queues. */
export interface EventSources {
  /** Begins with what is in the queues. */
  start(): void;
  /** Receives no more, and lets the invocations under way end. */
  close(): Promise<void>;
}

/** The event sources of a template's mappings: each works on its own, and is woken when a message has arrived. */
export const createEventSources = (
  mappings: readonly QueueSource[],
  { queues, onArrival }: Pick<LockedData, 'queues' | 'onArrival'>,
  invoke: Invoke,
  clock: Clock,
  log: Log,
): EventSources => {
  const sources = mappings.map((mapping) => ({
    queue: mapping.queue.name,
    ...createEventSource(mapping, queues, invoke, clock, log),
  }));
  onArrival((arrived) => {
    for (const { queue, wake } of sources) if (queue === arrived) wake();
  });
  return {
    start: () => {
      for (const { start } of sources) start();
    },
    close: async () => {
      await Promise.all(sources.map(({ close }) => close()));
    },
  };
};
