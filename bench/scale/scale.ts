import { type Environment, EnvironmentError, parseEnvironment } from '../../lib/infrastructure/settings.ts';
import { environments } from '../../test/support/environments.ts';
import type { Measurement } from '../measurement.ts';
import { median } from '../median.ts';
import type { Part } from '../part.ts';
import { lineChart } from '../plot/lines.ts';
import type { Picture } from '../plot/picture.ts';
import { busiestOf } from './creates.ts';
import { limits } from './limits.ts';
import { assumedLatency, readPages } from './pages.ts';
import { shareOfGoodPlacements } from './placements.ts';

const rate = 10_000;
const tenfold = 10 * rate;
const { gatewayBurst: burst } = limits;

/** The environment of the simulation, with the fewest shards that synthesis takes for its throttle. */
const environment = ((): Environment => {
  const throttles = { public: { rate, burst }, staff: { rate: 100, burst: 100 } };
  for (let listShards = 1; ; listShards += 1) {
    try {
      return parseEnvironment('scale', { ...environments.prod, throttles, listShards });
    } catch (error) {
      if (!(error instanceof EnvironmentError) || listShards > 100) throw error;
    }
  }
})();

const { listShards } = environment;

const numeral = (value: number) => value.toLocaleString('en');

/** Creates of the busiest partition in its busiest second of a minute, which begins with a burst. */
const busiestSecond = (shards: number, creates = rate, spam = 0) =>
  Math.max(...busiestOf({ rate: creates, burst, listShards: shards, seconds: 60, spam }));

const besideLimit = (writes: number, limit: number, what: string) => ({ what, ratio: writes / limit });

const partition = (name: string, writes: number): Measurement => ({
  name,
  value: writes,
  unit: 'write units/s',
  beside: besideLimit(writes, limits.partitionWrites, 'what a partition takes'),
});

const measureHour = (show: (picture: Picture) => void): Measurement[] => {
  const seconds = busiestOf({ rate, burst, listShards, seconds: 3_600, spam: 0 });
  const minutes = Array.from({ length: 60 }, (_, minute) => Math.max(...seconds.slice(minute * 60, minute * 60 + 60)));
  const line = (kibibytes: number) => ({
    label: `${kibibytes} KiB each`,
    points: minutes.map((creates, minute) => [minute, creates * kibibytes] as const),
  });
  show(
    lineChart({
      name: 'scale-hour',
      title: `${numeral(rate)} creates a second for an hour, over ${listShards} shards`,
      subtitle: `Simulated: the busiest second of each minute, which begins with a burst of ${numeral(burst)}, in the busiest partition`,
      x: { title: 'minute' },
      y: { title: 'write units a second' },
      series: [line(1), line(2), line(3)],
      limits: [{ label: 'what a partition takes', y: limits.partitionWrites }],
    }),
  );
  const most = Math.max(...seconds);
  const isMet = { bound: '≤', value: 1 } as const;
  const name = `Busiest partition, ${numeral(rate)} creates a second over ${listShards} shards`;
  return [
    { ...partition(`${name}, of 1 KiB`, most), target: isMet },
    { ...partition('… of 2 KiB', 2 * most), target: isMet },
    partition('… of 3 KiB', 3 * most),
    partition('… of 4 KiB', 4 * most),
    { ...partition('… of 1 KiB, half of them spam', busiestSecond(listShards, rate, 0.5)), target: isMet },
  ];
};

const shardCounts = [30, 40, 50, 60, 80, 100, 150, 200, 300, 400];

const measureShards = (show: (picture: Picture) => void): Measurement[] => {
  const busiest = shardCounts.map((shards) => [shards, busiestSecond(shards)] as const);
  const line = (kibibytes: number) => ({
    label: `${kibibytes} KiB each`,
    points: busiest.map(([shards, creates]) => [shards, creates * kibibytes] as const),
  });
  show(
    lineChart({
      name: 'scale-shards',
      title: 'The busiest partition, by the number of shards',
      subtitle: `Simulated: ${numeral(rate)} creates a second and a burst of ${numeral(burst)}, in the busiest second of a minute`,
      x: { title: 'listShards', isLog: true, ticks: [30, 40, 60, 100, 200, 400] },
      y: { title: 'write units a second', isLog: true, ticks: [30, 100, 300, 1_000, 3_000, 10_000] },
      series: [1, 4, 16].map(line),
      limits: [{ label: 'what a partition takes', y: limits.partitionWrites }],
    }),
  );
  return [2, 3, 4, 8, 16].flatMap((kibibytes): Measurement[] => {
    const enough = busiest.find(([, creates]) => creates * kibibytes <= limits.partitionWrites);
    const name = `Shards for ${numeral(rate)} creates a second of ${kibibytes} KiB`;
    const written = rate * kibibytes;
    const beside = besideLimit(written, limits.tableWrites, 'the quota of write units of a table');
    return enough ? [{ name, value: enough[0], unit: 'count', beside }] : [];
  });
};

const measurePlacements = (): Measurement[] =>
  [limits.newTableWrites, 20_000, limits.tableWrites].flatMap((warm): Measurement[] =>
    [listShards, 100].map((shards) => ({
      name: `Chance that ${shards} keys of an index warmed to ${numeral(warm)} write units overload no partition before it is split`,
      value: shareOfGoodPlacements(shards, rate, warm),
      unit: 'share',
    })),
  );

const listedShards = [1, 2, 4, 10, 20, 40, 100, 400];

const measureLists = async (show: (picture: Picture) => void): Promise<Measurement[]> => {
  const pages = await Promise.all(
    listedShards.map(async (shards) => {
      const took = (await readPages(shards, 200, assumedLatency())).map(({ milliseconds }) => milliseconds);
      const slow = took.toSorted((one, other) => one - other)[Math.floor(took.length * 0.99)] ?? Number.NaN;
      return { shards, usual: median(took), slow };
    }),
  );
  show(
    lineChart({
      name: 'scale-list',
      title: 'A page of 50 of the list, by the number of shards',
      subtitle: 'Simulated: the waiting for the store alone, a query of 4 ms (median) to 15 ms (one in a hundred)',
      x: { title: 'listShards', isLog: true, ticks: listedShards },
      y: { title: 'milliseconds' },
      series: [
        { label: 'one in a hundred', points: pages.map(({ shards, slow }) => [shards, slow] as const) },
        { label: 'median', points: pages.map(({ shards, usual }) => [shards, usual] as const) },
      ],
    }),
  );
  const [first] = pages;
  return pages.map(({ shards, usual }) => ({
    name: `Waiting of a page of 50, ${shards} ${shards === 1 ? 'shard' : 'shards'}`,
    value: usual,
    unit: 'ms',
    ...(first && shards > 1 && { beside: { what: 'one shard', ratio: usual / first.usual } }),
  }));
};

/** A create in milliseconds, assumed: a write in nine, and one for computing. */
const createTime = 10;

/** What an account has to be given for a rate, beside what it has. */
const measureQuotas = (creates: number): Measurement[] => {
  const atOnce = (creates * createTime) / 1000;
  const concurrency = Math.max(atOnce, creates / limits.callsOfConcurrency);
  const doublings = Math.ceil(Math.log2(creates / limits.newTableWrites));
  const name = (what: string) => `${numeral(creates)} creates a second: ${what}`;
  return [
    {
      name: name('requests to the gateway'),
      value: creates,
      unit: 'requests/s',
      beside: besideLimit(creates, limits.gatewayRate, "an account's quota"),
    },
    {
      name: name('with a preflight each'),
      value: 2 * creates,
      unit: 'requests/s',
      beside: besideLimit(2 * creates, limits.gatewayRate, "an account's quota"),
    },
    {
      name: name('concurrency of functions'),
      value: concurrency,
      unit: 'count',
      beside: besideLimit(concurrency, limits.concurrency, "an account's quota"),
    },
    {
      name: name('write units of the table, and of its index'),
      value: creates,
      unit: 'write units/s',
      beside: besideLimit(creates, limits.tableWrites, 'the quota of each'),
    },
    { name: name('until new tables take them'), value: doublings * limits.doublingMinutes, unit: 'minutes' },
  ];
};

const measure = async (show: (picture: Picture) => void): Promise<Measurement[]> => [
  ...measureHour(show),
  ...measureShards(show),
  partition(
    `Busiest partition, ${numeral(tenfold)} creates a second over ${10 * listShards} shards, of 1 KiB`,
    busiestSecond(10 * listShards, tenfold),
  ),
  ...measurePlacements(),
  ...(await measureLists(show)),
  ...measureQuotas(rate),
  ...measureQuotas(tenfold),
];

export const scale: Part = {
  title: 'Scale, by simulation',
  tells: `No figure here was measured on AWS. Creates are placed by the service's own code and held against DynamoDB's published limits; the list is read by its own code from a simulated store, on a clock of its own; quotas are those that an account begins with (\`bench/scale/limits.ts\` names AWS's pages). × 1.00 is the limit. [Scale](scale.md) says what to set and to ask for.`,
  measure,
};
