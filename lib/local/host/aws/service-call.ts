/** A service's response to a call. The body becomes JSON, unless it is a text or bytes. */
export interface ServiceResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * A service with one of AWS's protocols: https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html,
 * https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html, https://smithy.io/2.0/aws/protocols/aws-query-protocol.html.
 * @param target the header `X-Amz-Target`, such as `AmazonSQS.SendMessage`; without this header, method and URL; of a form, the
 * field `Action`
 * @param body the parsed body of the request: of a form, its fields
 */
export type ServiceCall = (target: string, body: unknown) => Promise<ServiceResponse>;

/** An error for the SDK, in the form of all of these protocols. */
export const awsError = (status: number, type: string, message: string): ServiceResponse => ({
  status,
  headers: { 'x-amzn-ErrorType': type },
  body: { __type: type, message },
});

/** The response to an unsupported operation. */
export const unsupported = (what: string): ServiceResponse =>
  awsError(400, 'UnknownOperationException', `The local host does not serve ${what}`);
