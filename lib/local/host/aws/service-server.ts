import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createGuard, signatureOf } from '../guard.ts';
import { listen } from '../listen.ts';
import type { Log } from '../log.ts';

/** What a service answers to a call: the body is sent as JSON. */
export interface ServiceAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * A service of AWS's JSON protocols: https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html,
 * https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html.
 * @param target the header `X-Amz-Target`, such as `AmazonSQS.SendMessage`; in the protocol without it, method and URL
 * @param body the request's, parsed
 */
export type ServiceCall = (target: string, body: unknown) => Promise<ServiceAnswer>;

/** An error, as the SDK of each of these protocols reads it. */
export const fault = (status: number, type: string, message: string): ServiceAnswer => ({
  status,
  headers: { 'x-amzn-ErrorType': type },
  body: { __type: type, message },
});

/** An operation that functions do not use, or a form of one. */
export const notServed = (what: string): ServiceAnswer =>
  fault(400, 'UnknownOperationException', `The local host does not serve ${what}`);

/** A port of 127.0.0.1 for the AWS services besides DynamoDB. */
export interface ServiceServer {
  readonly endpoint: string;
  /**
   * By what the SDK finds the services in a function.
   * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
   */
  readonly variables: Readonly<Record<string, string>>;
  /**
   * From now on answers those who have the credential; until then nobody.
   * @param services by the names that requests are signed for, such as `sqs`
   */
  serve(accessKeyId: string, services: ReadonlyMap<string, ServiceCall>): void;
  /** Answers what is under way, then ends. */
  close(): Promise<void>;
}

const answer = async (request: IncomingMessage, services: ReadonlyMap<string, ServiceCall>): Promise<ServiceAnswer> => {
  const { service } = signatureOf(request);
  const call = services.get(service);
  if (!call) return notServed(`the service "${service}"`);
  const target = request.headers['x-amz-target'] ?? `${request.method} ${request.url}`;
  return call(String(target), JSON.parse(Buffer.concat(await request.toArray()).toString()));
};

/** As the store, it checks no signature and takes any region. */
export const openServiceServer = async (log: Log): Promise<ServiceServer> => {
  let handle: RequestListener = (_, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => handle(request, response));
  const { port, stop } = await listen(server, 0, '127.0.0.1');
  const endpoint = `http://127.0.0.1:${port}`;
  let stopped: Promise<void> | undefined;
  return {
    endpoint,
    variables: Object.fromEntries(
      ['SECRETS_MANAGER', 'SESV2', 'SQS'].map((service) => [`AWS_ENDPOINT_URL_${service}`, endpoint]),
    ),
    serve: (accessKeyId, services) => {
      handle = createGuard(accessKeyId, async (request, response) => {
        const { status, headers, body } = await answer(request, services).catch((error: unknown) => {
          log('services', String(error instanceof Error ? error.stack : error));
          return fault(500, 'InternalFailure', 'The local host failed');
        });
        response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
      });
    },
    close: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};
