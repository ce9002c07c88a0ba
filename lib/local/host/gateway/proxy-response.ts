import * as v from 'valibot';
import { groupByName, type Header, type HttpRequest, type HttpResponse, headerOf, mediaType } from './http-message.ts';
import { isBinary } from './proxy-event.ts';

const headerValue = v.union([v.string(), v.pipe(v.boolean(), v.transform(String))]);

/** What a function may answer; a field that API Gateway does not know makes it malformed. */
const proxyResponseSchema = v.strictObject({
  statusCode: v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number))]),
    v.integer(),
    v.minValue(200),
    v.maxValue(599),
  ),
  headers: v.nullish(v.record(v.string(), headerValue)),
  multiValueHeaders: v.nullish(v.record(v.string(), v.array(headerValue))),
  body: v.nullish(v.string()),
  isBase64Encoded: v.nullish(v.boolean()),
});

const remappedHeaders = ['connection', 'content-length', 'date', 'server'];

/** Headers under their own name, but for those that are API Gateway's to set. */
const outgoing = (all: readonly Header[]): Header[] =>
  all
    .filter(([name]) => name.toLowerCase() !== 'transfer-encoding')
    .map(([name, value]) =>
      remappedHeaders.includes(name.toLowerCase()) ? [`x-amzn-Remapped-${name}`, value] : [name, value],
    );

/**
 * The response that a function's answer stands for.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-output-format
 * @returns for a malformed answer, the place at fault
 */
export const readProxyResponse = (
  payload: unknown,
  request: HttpRequest,
  binaryMediaTypes: readonly string[],
): HttpResponse | { malformedAt: string } => {
  const parsed = v.safeParse(proxyResponseSchema, payload);
  if (!parsed.success) return { malformedAt: v.getDotPath(parsed.issues[0]) ?? 'its type' };
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = parsed.output;

  const multiple = Object.entries(multiValueHeaders ?? {}).flatMap(([name, values]) =>
    values.map((value): Header => [name, value]),
  );
  const given = groupByName(multiple);
  const all = [
    ...multiple,
    // A value that stands in both places is sent once.
    ...Object.entries(headers ?? {}).filter(([name, value]) => !given.get(name)?.includes(value)),
  ];
  const decoded = isBase64Encoded && isBinary(binaryMediaTypes, mediaType(headerOf(request.headers, 'accept')));
  return {
    statusCode,
    headers: [
      ...(headerOf(all, 'content-type') === undefined ? [['Content-Type', 'application/json'] as const] : []),
      ...outgoing(all),
    ],
    body: decoded ? Buffer.from(body ?? '', 'base64') : (body ?? ''),
  };
};
