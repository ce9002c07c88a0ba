// Answers as DynamoDB does, over TLS, from what bench/cold/answers.ts saw stored: it keeps nothing and takes next to no
// time. It refuses what is not signed as it must be, and a write without its condition.
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import { isDeepStrictEqual } from 'node:util';
import { crc32 } from 'node:zlib';
import * as v from 'valibot';
import { storedItems } from './answers.ts';
import { credentials } from './credentials.ts';
import { authorizationOf } from './signature.ts';

const [, , given = ''] = process.argv;
const stored = v.parse(storedItems, JSON.parse(readFileSync(given, 'utf8')));

const item = v.record(v.string(), v.unknown());

const request = v.looseObject({
  TableName: v.string(),
  Key: v.optional(item),
  Item: v.optional(item),
  Limit: v.optional(v.number()),
  ConditionExpression: v.optional(v.string()),
});

type Request = v.InferOutput<typeof request>;

const refuse = (name: string, message: string) => ({
  status: 400,
  content: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message },
});

const find = ({ TableName, Key = {} }: Request) =>
  stored[TableName]?.find((found) =>
    Object.entries(Key).every(([name, value]) => isDeepStrictEqual(found[name], value)),
  );

const operations: Readonly<Record<string, (sent: Request) => { status: number; content: object }>> = {
  PutItem: (sent) =>
    sent.Item?.['id'] && sent.Item['message'] && sent.ConditionExpression?.includes('attribute_not_exists(id)')
      ? { status: 200, content: {} }
      : refuse('ValidationException', 'A put has an item and a condition here.'),
  GetItem: (sent) => {
    const found = find(sent);
    return { status: 200, content: found ? { Item: found } : {} };
  },
  DeleteItem: (sent) =>
    find(sent)
      ? { status: 200, content: {} }
      : refuse('ConditionalCheckFailedException', 'The conditional request failed'),
  Query: ({ TableName, Limit }) => {
    const found = (stored[TableName] ?? []).slice(0, Limit);
    return { status: 200, content: { Items: found, Count: found.length, ScannedCount: found.length } };
  },
};

const isSigned = (headers: IncomingHttpHeaders, path: string, body: Buffer) => {
  const { authorization = '' } = headers;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  const { region, accessKey, secret } = credentials;
  return (
    signed['host'] !== undefined &&
    authorization === authorizationOf({ method: 'POST', path, headers: signed, body }, region, accessKey, secret)
  );
};

const answer = (headers: IncomingHttpHeaders, path: string, body: Buffer) => {
  if (!isSigned(headers, path, body)) return refuse('InvalidSignatureException', 'The signature does not match.');
  const operation = operations[String(headers['x-amz-target']).replace('DynamoDB_20120810.', '')];
  if (!operation) return refuse('UnknownOperationException', 'Nobody asks for that here.');
  return operation(v.parse(request, JSON.parse(body.toString())));
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
      // https://docs.aws.amazon.com/general/latest/gr/rande.html: a GET tells that the endpoint is there.
      if (incoming.method === 'GET') return outgoing.end('healthy: dynamodb.eu-central-1.amazonaws.com ');
      // Of what tells somebody, which is no call of DynamoDB's.
      if (incoming.url !== '/') return outgoing.end('ok');
      const { status, content } = answer(incoming.headers, incoming.url ?? '', Buffer.concat(chunks));
      const text = JSON.stringify(content);
      outgoing.writeHead(status, {
        Server: 'Server',
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
