/** Why a target was not told, in words that hold no datum of anyone: they go into logs and dead letters. */
export class Failure extends Error {
  readonly reason: string;
  /** How long not to try again, in seconds. */
  readonly retryAfter: number;
  /** No further try would end otherwise. */
  readonly isFinal: boolean;

  constructor(reason: string, { retryAfter = 0, isFinal = false }: FailureOptions = {}) {
    super(reason);
    this.reason = reason;
    this.retryAfter = retryAfter;
    this.isFinal = isFinal;
  }
}

interface FailureOptions {
  readonly retryAfter?: number;
  readonly isFinal?: boolean;
}

/** A code of Node's, such as `ECONNREFUSED`, else the name of an error's kind, as the SDK has it: never its message. */
export const nameOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'Error';
  const name = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return /^\w{1,64}$/.test(name) ? name : 'Error';
};
