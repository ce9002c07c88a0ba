import * as v from 'valibot';
import { json } from '../variables.ts';

/** What the functions are told that write into the list or read it. */
export const listVariables = {
  /** Over how many partitions the list is spread. */
  LIST_SHARDS: json(v.number()),
};

export type ListVariables = v.InferOutput<v.ObjectSchema<typeof listVariables, undefined>>;
