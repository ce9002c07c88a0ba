import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import * as v from 'valibot';
import { serve } from '../../support/server.ts';
import { stackWith } from '../stack.ts';

interface Message {
  readonly id: string;
  readonly body: string;
  readonly sentAt: number;
  /** The ARN of the queue from which SQS itself has moved it here. */
  readonly from?: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  isHidden: boolean;
}

/** A version of a secret, the last of them in force. */
interface SecretVersion {
  readonly token: string;
  readonly secret: string;
  readonly createdAt: Date;
}

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What AWS answers instead: an error of this name, or nothing at all although it has done what it was asked. */
export type Fault = { readonly error: string; readonly status?: number } | 'lost';

const failure = (name: string, status = 400): Answer => ({ status, body: { __type: name, message: `${name} of AWS` } });

const lastPart = (url: string) => url.slice(url.lastIndexOf('/') + 1);

const input = v.object({
  QueueUrl: v.optional(v.string(), ''),
  MaxNumberOfMessages: v.optional(v.number(), 1),
  MessageBody: v.optional(v.string(), ''),
  ReceiptHandle: v.optional(v.string(), ''),
  VisibilityTimeout: v.optional(v.number(), 30),
  SecretId: v.optional(v.string(), ''),
  VersionStage: v.optional(v.string(), 'AWSCURRENT'),
  ClientRequestToken: v.optional(v.string(), ''),
  SecretString: v.optional(v.string(), ''),
});

/** An AWS of a test's own, at the doors that the staff command uses: CloudFormation, Lambda, SQS and Secrets Manager. */
export const startAws = async () => {
  const outputs: Record<string, string> = {};
  const functions = new Map<string, Answer>();
  const queues = new Map<string, Message[]>();
  const secrets = new Map<string, SecretVersion[]>();
  const asked: string[] = [];
  let before: (operation: string) => Fault | undefined = () => undefined;

  const queueOf = (QueueUrl: string) => {
    const queue = queues.get(lastPart(QueueUrl));
    if (!queue) throw new Error(`There is no queue ${QueueUrl}.`);
    return queue;
  };

  const operations: Record<string, (given: v.InferOutput<typeof input>) => Answer> = {
    ReceiveMessage: ({ QueueUrl, MaxNumberOfMessages }) => {
      const received = queueOf(QueueUrl)
        .filter(({ isHidden }) => !isHidden)
        .slice(0, MaxNumberOfMessages);
      for (const message of received) message.isHidden = true;
      const messages = received.map(({ id, body, sentAt, from, attributes }) => ({
        MessageId: id,
        ReceiptHandle: id,
        Body: body,
        MD5OfBody: createHash('md5').update(body).digest('hex'),
        Attributes: { SentTimestamp: String(sentAt), ...(from && { DeadLetterQueueSourceArn: from }) },
        MessageAttributes: Object.fromEntries(
          Object.entries(attributes).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
        ),
      }));
      return { body: { Messages: messages } };
    },
    SendMessage: ({ QueueUrl, MessageBody }) => {
      const id = send(lastPart(QueueUrl), MessageBody);
      return { body: { MessageId: id, MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex') } };
    },
    DeleteMessage: ({ QueueUrl, ReceiptHandle }) => {
      const queue = queueOf(QueueUrl);
      const place = queue.findIndex(({ id }) => id === ReceiptHandle);
      if (place >= 0) queue.splice(place, 1);
      return { body: {} };
    },
    ChangeMessageVisibility: ({ QueueUrl, ReceiptHandle, VisibilityTimeout }) => {
      for (const message of queueOf(QueueUrl))
        if (message.id === ReceiptHandle) message.isHidden = VisibilityTimeout > 0;
      return { body: {} };
    },
    GetSecretValue: ({ SecretId, VersionStage }) => {
      const found = secrets.get(SecretId)?.at(VersionStage === 'AWSCURRENT' ? -1 : -2);
      if (!found) return failure('ResourceNotFoundException');
      return { body: { SecretString: found.secret, CreatedDate: found.createdAt.getTime() / 1000 } };
    },
    PutSecretValue: ({ SecretId, SecretString, ClientRequestToken: token }) => {
      const versions = secrets.get(SecretId) ?? [];
      if (!versions.some((version) => version.token === token)) {
        secrets.set(SecretId, [...versions, { token, secret: SecretString, createdAt: new Date() }]);
      }
      return { body: {} };
    },
  };

  const answer = (request: IncomingMessage, body: string): Answer | string | 'lost' => {
    const [, name] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(request.url ?? '') ?? [];
    const operation = lastPart(String(request.headers['x-amz-target'] ?? '').replace('.', '/'));
    asked.push(name === undefined ? operation || 'DescribeStacks' : `Invoke ${name} ${body}`);
    const fault = before(operation);
    if (fault && fault !== 'lost') return failure(fault.error, fault.status);
    if (name !== undefined) return functions.get(name) ?? failure('ResourceNotFoundException', 404);
    if (operation === '') return stackWith(outputs);
    const done = operations[operation]?.(v.parse(input, JSON.parse(body))) ?? failure('UnknownOperation');
    return fault ?? done;
  };

  const server = await serve((request, response, body) => {
    const answered = answer(request, body.toString());
    if (answered === 'lost') return void request.socket.destroy();
    if (typeof answered === 'string') return void response.writeHead(200, { 'Content-Type': 'text/xml' }).end(answered);
    const { status = 200, headers = {}, body: payload } = answered;
    const error = v.safeParse(v.object({ __type: v.string() }), payload);
    response
      .writeHead(status, {
        'Content-Type': 'application/x-amz-json-1.0',
        ...(error.success && { 'x-amzn-ErrorType': error.output.__type }),
        ...headers,
      })
      .end(typeof payload === 'string' ? payload : JSON.stringify(payload));
  });

  const send = (queue: string, body: string, more: Partial<Pick<Message, 'sentAt' | 'from' | 'attributes'>> = {}) => {
    const id = randomUUID();
    queueOf(queue).push({ id, body, sentAt: Date.now(), attributes: {}, isHidden: false, ...more });
    return id;
  };

  return {
    ...server,
    /** The outputs of the stack. */
    outputs,
    /** What a function answers, by its name. */
    functions,
    secrets,
    /** Each operation that was asked for, in order. */
    asked,
    addQueue: (name: string) => {
      queues.set(name, []);
      return `${server.url}/123456789012/${name}`;
    },
    send,
    /** What is in a queue, and whether it is hidden. */
    bodiesIn: (queue: string) => queueOf(queue).map(({ body }) => body),
    hiddenIn: (queue: string) => queueOf(queue).filter(({ isHidden }) => isHidden).length,
    /** Says what fails, before each operation. */
    failBy: (fails: typeof before) => {
      before = fails;
    },
  };
};

export type Aws = Awaited<ReturnType<typeof startAws>>;
