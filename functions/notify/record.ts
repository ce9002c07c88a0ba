import * as v from 'valibot';
import { placeOf } from '../contacts/place.ts';
import { contactsTable } from '../contacts/table.ts';
import { parseUuid } from '../uuid.ts';
import { Failure } from './failure.ts';

const { listIndex, listPartitions } = contactsTable;

/** An attribute that holds text: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_AttributeValue.html */
const text = v.pipe(
  v.object({ S: v.string() }),
  v.transform(({ S }) => S),
);

const time = v.pipe(
  text,
  v.check((value) => !Number.isNaN(Date.parse(value))),
);

/**
 * A record of the table's stream, as far as it says whether there is something to tell: what is told is read from the
 * table. https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_Record.html
 * AWS's examples show a list of them: a pipe publishes each to a topic by itself, also where a batch is one record.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-pipes-batching-concurrency.html
 */
const streamRecord = v.pipe(
  v.string(),
  v.parseJson(),
  v.variant('eventName', [
    v.object({ eventName: v.literal('REMOVE') }),
    v.object({
      eventName: v.picklist(['INSERT', 'MODIFY']),
      dynamodb: v.object({
        /** In seconds since 1970. Not every example of AWS's has it: without it, all is new. */
        ApproximateCreationDateTime: v.optional(v.number(), 0),
        NewImage: v.object({
          id: v.pipe(
            text,
            v.check((id) => parseUuid(id) === id),
          ),
          createdAt: time,
          releasedAt: v.exactOptional(time),
          [listIndex.partitionKey]: text,
        }),
      }),
    }),
  ]),
);

/** What a record says: a contact request that came to a place in the list, or why there is nothing to tell. */
export type ParsedRecord =
  | { readonly id: string; readonly place: string }
  | { readonly id?: string; readonly nothing: string };

/** What was written later than this after its place is an item that was restored, copied or touched. */
const oldAfter = 60 * 60;

/** @throws {Failure} a final one, when it is no record */
export const parseRecord = (body: string): ParsedRecord => {
  const result = v.safeParse(streamRecord, body);
  if (!result.success) throw new Failure('unreadable record', { isFinal: true });
  const record = result.output;
  if (record.eventName === 'REMOVE') return { nothing: 'deleted' };
  const { ApproximateCreationDateTime: writtenAt, NewImage: image } = record.dynamodb;
  const { id } = image;
  if (image[listIndex.partitionKey].startsWith(listPartitions.spam)) return { id, nothing: 'spam' };
  const place = placeOf(image);
  if (Date.parse(place) / 1000 < writtenAt - oldAfter) return { id, nothing: 'not new' };
  return { id, place };
};
