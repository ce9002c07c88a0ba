// A process that responds as DynamoDB does, over TLS, in almost no time.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import { crc32 } from 'node:zlib';
import * as v from 'valibot';

const item = v.record(v.string(), v.unknown());

const request = v.object({
  TableName: v.string(),
  Key: v.optional(item, {}),
  Item: v.optional(item, {}),
  Limit: v.optional(v.number()),
  ConditionExpression: v.optional(v.string(), ''),
});

type Request = v.InferOutput<typeof request>;

/** A page of each table: the thousands of later puts would only fill the memory. */
const kept = 50;

const tables = new Map<string, v.InferOutput<typeof item>[]>();

const itemsOf = (table: string) => {
  const items = tables.get(table) ?? [];
  tables.set(table, items);
  return items;
};

const refuse = (name: string) => ({
  status: 400,
  content: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'Refused by the store of the benchmarks.' },
});

const succeed = (content: object) => ({ status: 200, content });

const find = ({ TableName, Key }: Request) =>
  itemsOf(TableName).find((found) =>
    Object.entries(Key).every(([name, value]) => isDeepStrictEqual(found[name], value)),
  );

const operations: Readonly<Record<string, (sent: Request) => { status: number; content: object }>> = {
  PutItem: ({ TableName, Item, ConditionExpression }) => {
    // Only priming wants the item to exist already.
    if (ConditionExpression.includes('attribute_exists')) return refuse('ConditionalCheckFailedException');
    const items = itemsOf(TableName);
    if (items.length < kept) items.push(Item);
    return succeed({});
  },
  GetItem: (sent) => succeed({ Item: find(sent) }),
  DeleteItem: (sent) => (find(sent) ? succeed({}) : refuse('ConditionalCheckFailedException')),
  UpdateItem: (sent) => (find(sent) ? succeed({}) : refuse('ConditionalCheckFailedException')),
  Query: ({ TableName, Limit }) => {
    const found = itemsOf(TableName).slice(0, Limit);
    return succeed({ Items: found, Count: found.length, ScannedCount: found.length });
  },
};

const response = (target: unknown, body: Buffer) => {
  const operation = operations[String(target).replace('DynamoDB_20120810.', '')];
  return operation ? operation(v.parse(request, JSON.parse(body.toString()))) : refuse('UnknownOperationException');
};

const server = createServer(
  {
    key: readFileSync(`${import.meta.dirname}/localhost-key.pem`),
    cert: readFileSync(`${import.meta.dirname}/localhost-certificate.pem`),
    keepAliveTimeout: 60_000,
  },
  (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => {
      const { status, content } = response(incoming.headers['x-amz-target'], Buffer.concat(chunks));
      const text = JSON.stringify(content);
      outgoing.writeHead(status, {
        'Content-Type': 'application/x-amz-json-1.0',
        'Content-Length': Buffer.byteLength(text),
        'x-amzn-RequestId': 'K2LH6QSDRRDPQCMH0GQ6OAVJPFVV4KQNSO5AEMVJF66Q9ASUAAJG',
        'x-amz-crc32': crc32(text),
      });
      outgoing.end(text);
    });
  },
);

server.listen(0, 'localhost', () => {
  const address = server.address();
  if (address && typeof address === 'object') process.send?.(`https://localhost:${address.port}`);
});
