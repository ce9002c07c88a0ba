import type { IncomingHttpHeaders } from 'node:http';

/** What a service answers to a call. */
export interface ServiceAnswer {
  readonly status: number;
  /** Besides those of every answer, such as `x-amzn-query-error`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Is sent as JSON. */
  readonly body: unknown;
}

/**
 * A service of AWS's JSON protocols: https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html,
 * https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html. What it throws is answered as a failure of its own.
 * @param target what stands in `X-Amz-Target`, such as `AmazonSQS.SendMessage`; of the protocol without that header the
 * method and the URL, such as `POST /v2/email/outbound-emails`
 * @param body the request's, parsed; nothing when it is empty
 */
export type ServiceCall = (
  target: string,
  body: unknown,
  headers: IncomingHttpHeaders,
) => ServiceAnswer | Promise<ServiceAnswer>;

/** An error, as the SDK of each of these protocols reads it. */
export const fault = (status: number, type: string, message: string): ServiceAnswer => ({
  status,
  headers: { 'x-amzn-ErrorType': type },
  body: { __type: type, message },
});

/** What is not served says so: nothing else would lead to this host. */
export const notServed = (what: string): ServiceAnswer =>
  fault(400, 'UnknownOperationException', `The local host does not serve ${what}`);
