/** What a service answers to a call. */
export interface ServiceAnswer {
  readonly status: number;
  /** Besides those of every answer, such as `x-amzn-query-error`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Is sent as JSON. */
  readonly body: unknown;
}

/**
 * A service of AWS's JSON protocols: https://smithy.io/2.0/aws/protocols/aws-json-1_0-protocol.html. Never rejects.
 * @param target what stands in `X-Amz-Target`, such as `AmazonSQS.SendMessage`
 * @param body the request's, parsed
 */
export type ServiceCall = (target: string, body: unknown) => Promise<ServiceAnswer>;
