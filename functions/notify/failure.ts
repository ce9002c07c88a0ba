/** Why a notification could not be delivered. The reason goes into logs: it holds no personal data, URL or secret. */
export class Failure extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** A code of Node's, such as `ECONNREFUSED`, else the name of an error's kind, as the SDK has it: never its message. */
export const nameOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'Error';
  const name = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return /^\w{1,64}$/.test(name) ? name : 'Error';
};
