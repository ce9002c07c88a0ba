import { memorySize } from '../lib/infrastructure/endpoints.ts';
import { startCaller } from './callers.ts';
import { median } from './measure.ts';
import { figure, type Section } from './page.ts';
import { sampleStarts } from './starts.ts';
import { create, named, withVariants } from './variants.ts';

/** With so many megabytes a function has one whole processor, with less a part of it. */
const wholeProcessor = 1_769;

const sizes = [128, 256, 512, memorySize, wholeProcessor];

/** Milliseconds for an answer of the store, and the same to connect to it: an assumption. */
const storeAnswer = 5;

/** US dollars for a gigabyte-second of Lambda on arm64 in us-east-1: https://aws.amazon.com/lambda/pricing/ */
const dollarsOfGbSecond = 0.0000133334;

/** One in so many creates is cold: an assumption. */
const coldOneIn = 100;

/** Milliseconds of one whole processor. */
interface Work {
  readonly importing: number;
  readonly firstCall: number;
  readonly warmCall: number;
}

const timesOf = ({ importing, firstCall, warmCall }: Work, size: number) => {
  const share = size / wholeProcessor;
  const waiting = 2 * storeAnswer;
  const slowStart = waiting + (importing + firstCall) / share;
  const fastStart = waiting + importing + firstCall / share;
  const warm = storeAnswer + warmCall / share;
  // Starts are billed like calls: https://aws.amazon.com/blogs/compute/aws-lambda-standardizes-billing-for-init-phase/
  const billed = (Math.ceil(fastStart) + (coldOneIn - 1) * Math.ceil(warm)) / coldOneIn;
  return { size, slowStart, fastStart, dollars: ((billed * 1_000 * size) / 1024) * dollarsOfGbSecond };
};

export const memory = (rounds: number): Promise<Section> =>
  withVariants(async (variants, folder) => {
    const variant = named(variants, create);
    const samples = (await sampleStarts(folder, [variant], rounds))(create);
    const importing = median(samples.map(({ importCpu }) => importCpu));
    const both = median(samples.map(({ cpu }) => cpu));
    const { call, stop } = startCaller(variant);
    await call(3_000, variant.event);
    const warmCall = (await call(1_000, variant.event)).cpu;
    stop();
    const work = { importing, firstCall: both - importing, warmCall };
    const times = sizes.map((size) => timesOf(work, size));
    const chosen = timesOf(work, memorySize);
    const name = (size: number) => `${size.toLocaleString('en')} MB`;
    const dollars = (value: number) => `$${value.toFixed(2)}`;
    return {
      title: 'Memory size',
      headline: `With ${name(memorySize)}, a cold create takes at most ${figure(chosen.slowStart)} ms (a model), and a million creates cost ${dollars(chosen.dollars)} on Lambda.`,
      text: `A model from CPU times of \`create-contact\`. Lambda gives CPU [in proportion to memory](https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html), and [often](https://bitesizedserverless.com/bite/lambda-cold-start-bootstrap/), without a promise, a whole processor during the start. Assumed: the store answers in ${storeAnswer} ms, and one create in ${coldOneIn} is cold. Peak memory: ${figure(median(samples.map(({ peak }) => peak)))} MiB. [Why ${name(memorySize)}](decisions.md#1024-mb-for-functions-that-someone-waits-for).`,
      columns: ['memory', 'cold ms', 'with a whole processor', 'a million creates'],
      rows: times.map(({ size, slowStart, fastStart, dollars: cost }) => [
        name(size),
        figure(slowStart),
        figure(fastStart),
        dollars(cost),
      ]),
    };
  });
