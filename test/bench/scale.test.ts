import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { busiestOf } from '../../bench/scale/creates.ts';
import { readPages } from '../../bench/scale/pages.ts';
import { shareOfGoodPlacements } from '../../bench/scale/placements.ts';
import { virtualStore } from '../../bench/scale/virtual-store.ts';
import { uuidFromText } from '../../functions/shared/uuid.ts';

describe('creates over partitions', () => {
  const traffic = { rate: 1_000, burst: 500, listShards: 4, seconds: 62, spam: 0 };

  test('spread evenly: 250 a second for each leave half of a partition to a burst', () => {
    const busiest = busiestOf(traffic);
    expect(busiest).toHaveLength(62);
    expect(Math.min(...busiest)).toBeGreaterThanOrEqual(500 / 4);
    expect(Math.max(...busiest)).toBeLessThan(500);
    // The burst, and the second after it.
    expect(busiest[60]).toBeGreaterThan(1_500 / 4);
    expect(busiest[61]).toBeLessThan(1_250 / 4);
  });

  test('are the same in each run', () => {
    expect(busiestOf(traffic)).toEqual(busiestOf(traffic));
  });

  test('go to partitions of their own where they are spam', () => {
    expect(Math.max(...busiestOf({ ...traffic, spam: 0.5 }))).toBeLessThan(300);
  });
});

test('keys that share a partition overload it, where there are few partitions', () => {
  expect(shareOfGoodPlacements(40, 10_000, 4_000)).toBe(0);
  expect(shareOfGoodPlacements(1, 1_000, 1_000)).toBe(1);
  expect(shareOfGoodPlacements(2, 2_000, 2_000)).toBeCloseTo(0.5, 1);
});

describe('the store on a clock of its own', () => {
  const ids = Array.from({ length: 10 }, (_, index) => uuidFromText(`${index}`));
  const ask = (partition: string) =>
    new QueryCommand({
      TableName: 'contacts',
      Limit: 5,
      ScanIndexForward: false,
      ExpressionAttributeValues: { ':partition': partition },
    });

  test('answers at once what is asked for at once, one after the other what is asked for so', async () => {
    const { client, time } = virtualStore(ids, 1, () => 5);
    const read = () => client.send(ask('inbox#0'), {});
    expect(await time(() => Promise.all([read(), read()]))).toEqual({ milliseconds: 5, queries: 2, items: 10 });
    expect(await time(async () => [await read(), await read()])).toEqual({ milliseconds: 10, queries: 2, items: 10 });
  });

  test('lets queries wait for one of 50 connections', async () => {
    const { client, time } = virtualStore(ids, 1, () => 5);
    const asked = Array.from({ length: 101 }, () => ask('inbox#0'));
    const { milliseconds } = await time(() => Promise.all(asked.map((query) => client.send(query, {}))));
    expect(milliseconds).toBe(15);
  });

  test('has the pages of the list, each in one query where there is one shard', async () => {
    const pages = await readPages(1, 3, () => 5);
    expect(pages.map(({ queries }) => queries)).toEqual(pages.map(() => 1));
    expect(pages.map(({ items }) => items)).toEqual(pages.map(() => 51));
    const [first] = await readPages(4, 1, () => 5);
    expect(first?.queries).toBeGreaterThanOrEqual(4);
  });
});
