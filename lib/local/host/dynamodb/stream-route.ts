import * as v from 'valibot';
import { streamViewTypeSchema } from '../template/definitions.ts';
import { eventPatternSchema } from '../template/event-sources.ts';

/** What tells queues of the changes of a table. Nothing of the template is one any more. */
export const streamRouteSchema = v.object({
  tableName: v.string(),
  streamArn: v.string(),
  viewType: streamViewTypeSchema,
  patterns: v.array(eventPatternSchema),
  queues: v.array(v.string()),
});

export type StreamRoute = v.InferOutput<typeof streamRouteSchema>;
