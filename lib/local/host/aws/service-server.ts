import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createGuard, signatureOf } from '../guard.ts';
import { listen } from '../listen.ts';
import type { Log } from '../log.ts';
import { fault, notServed, type ServiceAnswer, type ServiceCall } from './service-call.ts';

/** The AWS services of this machine, by the names that requests are signed for, such as `sqs`. */
export type Services = ReadonlyMap<string, ServiceCall>;

/** A port of 127.0.0.1 for the services. */
export interface ServiceServer {
  readonly endpoint: string;
  /**
   * By what the SDK finds the services in a function.
   * https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
   */
  readonly variables: Readonly<Record<string, string>>;
  /** From now on answers who has the credential; until then nobody. */
  serve(accessKeyId: string, services: Services): void;
  /** Answers what is under way, then ends. */
  close(): Promise<void>;
}

const parseBody = async (request: IncomingMessage): Promise<unknown> => {
  const text = Buffer.concat(await request.toArray()).toString();
  return text === '' ? undefined : JSON.parse(text);
};

const targetOf = ({ headers, method, url }: IncomingMessage): string => {
  const target = headers['x-amz-target'];
  return typeof target === 'string' ? target : `${method} ${url}`;
};

const answer = async (request: IncomingMessage, services: Services): Promise<ServiceAnswer> => {
  const { service } = signatureOf(request);
  const call = services.get(service);
  if (!call) return notServed(`the service "${service}"`);
  let body: unknown;
  try {
    body = await parseBody(request);
  } catch {
    return fault(400, 'SerializationException', 'The body is no JSON');
  }
  return call(targetOf(request), body, request.headers);
};

const createHandler =
  (services: Services, log: Log) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let answered: ServiceAnswer;
    try {
      answered = await answer(request, services);
    } catch (error) {
      log('services', String(error instanceof Error ? error.stack : error));
      answered = fault(500, 'InternalFailure', 'The local host failed');
    }
    const { status, headers, body } = answered;
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body) ?? '');
  };

/**
 * Serves the AWS services besides DynamoDB on one port, routed by the service that a request is signed for. As the store,
 * it checks no signature and takes any region.
 */
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
      handle = createGuard(accessKeyId, createHandler(services, log));
    },
    close: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};
