import { shareOf, whole } from '../cold/share.ts';

/** What a function does, in milliseconds of one whole processor. */
export interface Work {
  /** Importing its module. */
  readonly init: number;
  /** The first call. */
  readonly first: number;
  /** A call once everything is compiled. */
  readonly warm: number;
}

/** Megabytes to choose among. */
export const sizes = [128, 192, 256, 384, 512, 768, 1_024, 1_536, whole];

/** Whether a start gets a whole processor, whatever its size, or no more than calls do. */
type InitSpeed = 'whole' | 'share';

/** What is assumed of the store, in milliseconds: an answer, and what comes before the first, to connect to it. */
const answer = 5;
const connect = 5;

/** US dollars for a gigabyte-second of Lambda on arm64 in us-east-1: https://aws.amazon.com/lambda/pricing/ */
const dollarsOfGbSecond = 0.0000133334;

/** From the beginning of the import to the end of the first call. */
export const coldTime = ({ init, first }: Work, size: number, speed: InitSpeed): number =>
  init / (speed === 'whole' ? 1 : shareOf(size)) + connect + answer + first / shareOf(size);

export const warmTime = ({ warm }: Work, size: number): number => answer + warm / shareOf(size);

/**
 * US dollars for the time of a million calls, some of them cold, billed by the millisecond. What it takes to start is
 * billed as calls are: https://aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase/
 */
export const dollarsOfMillion = (work: Work, size: number, coldShare: number): number => {
  const cold = Math.ceil(coldTime(work, size, 'whole'));
  const warm = Math.ceil(warmTime(work, size));
  const gbSeconds = ((coldShare * cold + (1 - coldShare) * warm) * 1_000 * size) / 1024;
  return gbSeconds * dollarsOfGbSecond;
};

/** What people begin to notice. https://www.nngroup.com/articles/response-times-3-important-limits/ */
const noticeable = 100;

/** The least size than which no larger one starts faster by what people notice, even where a start gets no more than its share. */
export const leastSize = (work: Work): number =>
  sizes.find((size) => coldTime(work, size, 'share') - coldTime(work, whole, 'share') < noticeable) ?? whole;
