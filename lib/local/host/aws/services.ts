import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Log } from '../host-log.ts';
import { listen } from '../listen.ts';
import type { Credentials } from '../signature.ts';
import { createGuard, serviceOf } from '../signature-guard.ts';
import type { Template } from '../template/template.ts';
import { createS3, type S3, type S3Request } from './buckets.ts';
import type { Objects } from './objects.ts';
import type { SendEmail } from './outgoing-email.ts';
import { createSecretsManager } from './secrets-manager.ts';
import { awsError, type ServiceCall, type ServiceResponse, unsupported } from './service-call.ts';
import { createSes, writeEmails } from './ses.ts';
import { createSqs, type SendMessage } from './sqs.ts';

interface ServiceOptions {
  readonly dataDir: string;
  /** Those of the host's own clients. Others are refused. */
  readonly credentials: Credentials;
  /** Values of secrets that the template does not define, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly sendMessage: SendMessage;
  /** The contents of the buckets, by name. */
  readonly buckets: ReadonlyMap<string, Objects>;
  /** @defaultValue into files */
  readonly sendEmail?: SendEmail | undefined;
  /** The host in the `Message-ID` of emails. @defaultValue that of SES */
  readonly messageHost?: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

const readS3Request = ({ method = '', url = '', headers }: IncomingMessage, body: Buffer): S3Request => {
  const [path = '', query] = url.split('?', 2);
  return { method, path, query: new URLSearchParams(query), headers, body };
};

const respond = async (
  request: IncomingMessage,
  services: ReadonlyMap<string, ServiceCall>,
  s3: S3,
): Promise<ServiceResponse> => {
  const service = serviceOf(request);
  const bytes = Buffer.concat(await request.toArray());
  if (service === 's3') return s3(readS3Request(request, bytes));
  const call = services.get(service);
  if (!call) return unsupported(`the service "${service}"`);
  const body = bytes.toString();
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    const fields = Object.fromEntries(new URLSearchParams(body));
    return call(String(fields['Action']), fields);
  }
  const target = request.headers['x-amz-target'] ?? `${request.method} ${request.url}`;
  return call(String(target), JSON.parse(body));
};

/** An endpoint for clients with the host's credential. Like the store, it accepts any region. */
interface Services {
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Serves requests on a port of 127.0.0.1. */
const serve = async (
  { credentials, log }: Pick<ServiceOptions, 'credentials' | 'log'>,
  respondTo: (request: IncomingMessage) => Promise<ServiceResponse>,
): Promise<Services> => {
  const handle = createGuard(credentials, async (request, response) => {
    const { status, headers, body } = await respondTo(request).catch((error: unknown) => {
      log('services', String(error instanceof Error ? error.stack : error));
      return awsError(500, 'InternalFailure', 'The local host failed');
    });
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
  const { port, stop } = await listen(createServer(handle), 0);
  return { endpoint: `http://127.0.0.1:${port}`, close: stop };
};

/** Serves S3 alone, for a command while the service is stopped. */
export const serveBuckets = (options: Pick<ServiceOptions, 'credentials' | 'buckets' | 'log'>): Promise<Services> => {
  const s3 = createS3(options.buckets, options.log);
  return serve(options, (request) => respond(request, new Map(), s3));
};

/**
 * Serves S3, Secrets Manager, SES and SQS, as far as the functions use them.
 * @throws {Error} one line if the secrets in the data directory cannot be read
 */
export const serveServices = async (
  { secrets, queues, emailTemplates }: Pick<Template, 'secrets' | 'queues' | 'emailTemplates'>,
  options: ServiceOptions,
): Promise<Services> => {
  const { dataDir, secrets: given, sendMessage, buckets, messageHost, clock, log } = options;
  const { sendEmail = writeEmails(join(dataDir, 'mail')) } = options;
  /** Each by the name that a request's signature has of it. */
  const services = new Map([
    ['secretsmanager', await createSecretsManager(dataDir, secrets, given)],
    ['ses', createSes({ templates: emailTemplates, send: sendEmail, messageHost, clock, log })],
    ['sqs', createSqs(queues, sendMessage, clock)],
  ]);
  const s3 = createS3(buckets, log);
  return serve(options, (request) => respond(request, services, s3));
};
