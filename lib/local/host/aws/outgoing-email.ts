/** A composed email. */
export interface OutgoingEmail {
  readonly id: string;
  readonly date: Date;
  /** The envelope: addresses without names. */
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, as RFC 5322 has them. */
  readonly content: Buffer;
}

/** Hands an email to whoever delivers it. @throws {EmailError} if they did not accept it */
export type SendEmail = (email: OutgoingEmail) => Promise<void>;

/**
 * What became of an email that was not accepted. `refused`: it will be again. `not sent`: a later try may succeed. `unknown`:
 * it may have been accepted, but no response came.
 */
export type EmailFailure = 'refused' | 'not sent' | 'unknown';

/** An email was not accepted. */
export class EmailError extends Error {
  readonly failure: EmailFailure;
  /** Goes into logs, so it holds no address. */
  readonly reason: string;

  constructor(failure: EmailFailure, reason: string) {
    super(reason);
    this.failure = failure;
    this.reason = reason;
  }
}
