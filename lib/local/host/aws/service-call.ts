/** A service's answer to a call. The body is sent as JSON. */
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
export const awsError = (status: number, type: string, message: string): ServiceAnswer => ({
  status,
  headers: { 'x-amzn-ErrorType': type },
  body: { __type: type, message },
});

/** The answer to an operation, or a form of one, that functions do not use. */
export const unsupported = (what: string): ServiceAnswer =>
  awsError(400, 'UnknownOperationException', `The local host does not serve ${what}`);
