import type { Readable } from 'node:stream';
import { ConditionalCheckFailedException, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { HttpRequest, HttpResponse } from '@smithy/core/protocols';
import type { ClientProtocol, MetadataBearer } from '@smithy/types';
import * as v from 'valibot';

/** Collects a response body. The SDK's own collector makes Node load web streams. */
const collect = (body: Readable): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    body.on('data', (chunk: Buffer) => chunks.push(chunk));
    body.once('end', () => resolve(Buffer.concat(chunks).toString()));
    body.once('error', reject);
  });

const errorSchema = v.object({
  /** Such as `com.amazonaws.dynamodb.v20120810#ThrottlingException`; a colon and a suffix can follow. */
  __type: v.nullish(v.string(), 'UnknownError'),
  message: v.nullish(v.string(), ''),
  Item: v.optional(v.custom<ConditionalCheckFailedException['Item']>((item) => typeof item === 'object')),
});

const exceptionOf = (status: number, $metadata: MetadataBearer['$metadata'], body: unknown) => {
  const { __type: type, message, Item } = v.parse(errorSchema, body);
  const name = type.replace(/:.*/, '').replace(/.*#/, '');
  return name === 'ConditionalCheckFailedException'
    ? new ConditionalCheckFailedException({ $metadata, message, Item })
    : new DynamoDBServiceException({ name, $fault: status < 500 ? 'client' : 'server', $metadata, message });
};

const unused = (): never => {
  throw new Error('DynamoDB streams no events.');
};

/**
 * DynamoDB's protocol, AWS JSON 1.0. The document client uses attribute values in the form of the protocol, except binary
 * values, which nothing stores. So this needs no schemas and codecs of the SDK, which would take a tenth of a cold start.
 * https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html
 */
export const dynamoDbProtocol: ClientProtocol<HttpRequest, HttpResponse> = {
  getShapeId: () => 'aws.protocols#awsJson1_0',
  getRequestType: () => HttpRequest,
  getResponseType: () => HttpResponse,
  getPayloadCodec: unused,
  setSerdeContext: () => {},
  updateServiceEndpoint: unused,
  serializeRequest: async ({ name }, input, context) => {
    const { protocol, hostname, port, path } = await context.endpoint();
    return new HttpRequest({
      method: 'POST',
      protocol,
      hostname,
      ...(port !== undefined && { port }),
      path,
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `DynamoDB_20120810.${name}` },
      body: JSON.stringify(input),
    });
  },
  deserializeResponse: async <Output extends MetadataBearer>(
    _operation: unknown,
    _context: unknown,
    { statusCode, body }: HttpResponse,
  ) => {
    // If this throws, the SDK decides by the status whether to retry.
    const content = JSON.parse(await collect(body));
    const $metadata = { httpStatusCode: statusCode };
    if (statusCode >= 300) throw exceptionOf(statusCode, $metadata, content);
    const output: Output = content;
    return { ...output, $metadata };
  },
};

/** The names in the replaced modules. */
export { dynamoDbProtocol as AwsJson1_0Protocol };
export class DynamoDBJsonCodec2 {}
