const minute = 60;
const hour = 60 * minute;

/** The first gap between two tries; each further one is twice as long, up to the longest. In seconds. */
const firstGap = 30;
const longestGap = 3 * hour;

/** How long a target is tried. */
const tryFor = 24 * hour;

/**
 * SQS lets a message wait for 12 hours at most, from the moment when it was received.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-visibility-timeout.html
 */
const longestWait = 12 * hour - minute;

export interface FailedTry {
  /** How many there were, with this one. */
  readonly tries: number;
  /** When the target was to be told first. */
  readonly since: Date;
  /** For how long the target asked not to be tried, in seconds. */
  readonly retryAfter: number;
}

/**
 * How long to wait for the next try, in whole seconds; nothing, when it would come too late.
 * @param random gives a number from 0 to 1: half of each gap is left to it, so that what failed together is not tried together
 */
export const waitAfter = (
  { tries, since, retryAfter }: FailedTry,
  now: Date,
  random: () => number,
): number | undefined => {
  const gap = Math.min(firstGap * 2 ** (tries - 1), longestGap);
  const wait = Math.ceil(Math.min(Math.max((gap * (1 + random())) / 2, retryAfter), longestWait));
  return now.getTime() + wait * 1000 > since.getTime() + tryFor * 1000 ? undefined : wait;
};
