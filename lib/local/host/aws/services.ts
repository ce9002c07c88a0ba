import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Log } from '../host-log.ts';
import { listen } from '../listen.ts';
import { createGuard, signatureOf } from '../signature-guard.ts';
import type { Template } from '../template/template.ts';
import type { SendEmail } from './outgoing-email.ts';
import { createSecretsManager } from './secrets-manager.ts';
import { awsError, type ServiceCall, type ServiceResponse, unsupported } from './service-call.ts';
import { createSes, writeEmails } from './ses.ts';
import { createSqs, type SendMessage } from './sqs.ts';

interface ServiceOptions {
  readonly dataDir: string;
  /** The credential of the host's own clients. Others are refused. */
  readonly accessKeyId: string;
  /** Values of secrets that the template does not define, by name. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly sendMessage: SendMessage;
  /** @defaultValue into files */
  readonly sendEmail?: SendEmail | undefined;
  /** The host in the `Message-ID` of emails. @defaultValue that of SES */
  readonly messageHost?: string | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

const respond = async (
  request: IncomingMessage,
  services: ReadonlyMap<string, ServiceCall>,
): Promise<ServiceResponse> => {
  const { service } = signatureOf(request);
  const call = services.get(service);
  if (!call) return unsupported(`the service "${service}"`);
  const body = Buffer.concat(await request.toArray()).toString();
  if (request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')) {
    const fields = Object.fromEntries(new URLSearchParams(body));
    return call(String(fields['Action']), fields);
  }
  const target = request.headers['x-amz-target'] ?? `${request.method} ${request.url}`;
  return call(String(target), JSON.parse(body));
};

/**
 * Serves Secrets Manager, SES and SQS on a port of 127.0.0.1, as far as the functions use them. Like the store, it checks no
 * signature and accepts any region.
 * @throws {Error} one line if the secrets in the data directory cannot be read
 */
export const serveServices = async (
  { secrets, queues, emailTemplates }: Pick<Template, 'secrets' | 'queues' | 'emailTemplates'>,
  {
    dataDir,
    accessKeyId,
    secrets: given,
    sendMessage,
    sendEmail = writeEmails(join(dataDir, 'mail')),
    messageHost,
    clock,
    log,
  }: ServiceOptions,
): Promise<{ readonly endpoint: string; close(): Promise<void> }> => {
  /** Each by the name that a request's signature has of it. */
  const services = new Map([
    ['secretsmanager', await createSecretsManager(dataDir, secrets, given)],
    ['ses', createSes({ templates: emailTemplates, send: sendEmail, messageHost, clock, log })],
    ['sqs', createSqs(queues, sendMessage, clock)],
  ]);
  const handle = createGuard(accessKeyId, async (request, response) => {
    const { status, headers, body } = await respond(request, services).catch((error: unknown) => {
      log('services', String(error instanceof Error ? error.stack : error));
      return awsError(500, 'InternalFailure', 'The local host failed');
    });
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  const { port, stop } = await listen(createServer(handle), 0);
  return { endpoint: `http://127.0.0.1:${port}`, close: stop };
};
