import { describe, expect, test } from 'vitest';
import type { DailyKey } from '../../daily-key.ts';
import type { DurationCount, DurationQuery, RequestStats, RequestStatsStore } from '../../request-stats-store.ts';
import type { Stores } from '../../stores.ts';
import { dailyKey, day, describeDailyCounts } from './daily-counts.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';

const statsOf = (requests: number, key: Partial<DailyKey> = {}): RequestStats => ({
  ...dailyKey,
  ...key,
  requests,
  errors: 2 * requests,
});

function storeOf({ requestStats }: Stores): RequestStatsStore {
  if (!requestStats) throw new Error('these stores have no request statistics');
  return requestStats;
}

export function describeRequestStats(open: () => Promise<StoresUnderTest>): void {
  describeDailyCounts(open, { name: 'requests', storeOf, entryOf: statsOf });

  describe('request statistics', () => {
    const { stores } = openStores(open);

    test('are filtered by project, key and model', async () => {
      const store = storeOf(stores());
      const entries = [
        statsOf(1, { day: 200 * day, project: 'a' }),
        statsOf(1, { day: 200 * day, project: 'b', keyId: 'key_2' }),
        statsOf(1, { day: 201 * day, project: 'b', model: 'large' }),
      ];
      await store.add(entries);
      const find = (query: object) => store.read({ from: 200 * day, to: 202 * day, ...query });
      expect(await find({})).toEqual(entries);
      expect(await find({ project: 'b' })).toEqual([entries[1], entries[2]]);
      expect(await find({ keyId: 'key_2' })).toEqual([entries[1]]);
      expect(await find({ model: 'large', project: 'b' })).toEqual([entries[2]]);
      expect(await find({ model: "' or 1=1 --" })).toEqual([]);
    });

    const durationsOf = (requests: number, range: number, key: Partial<DailyKey> = {}): DurationCount => ({
      ...dailyKey,
      ...key,
      range,
      requests,
      firstTokens: 2 * requests,
    });

    test('durations are summed by their range for each day, project, key and model', async () => {
      const store = storeOf(stores());
      const day1 = { day: 700 * day };
      await store.addDurations([durationsOf(1, 3, day1), durationsOf(2, 30, day1), durationsOf(4, 3, day1)]);
      await store.addDurations([
        durationsOf(8, 3, { ...day1, project: 'b', keyId: 'key_2', model: 'large' }),
        durationsOf(16, 3, { day: 701 * day }),
      ]);
      const sums = async (query: Partial<DurationQuery>) =>
        (await store.readDurations({ by: 'day', from: 700 * day, to: 702 * day, ...query })).toSorted(
          (a, b) => String(a.group).localeCompare(String(b.group)) || a.range - b.range,
        );
      const sumOf = (group: number | string, range: number, requests: number) => ({
        group,
        range,
        requests,
        firstTokens: 2 * requests,
      });
      expect(await sums({})).toEqual([sumOf(700 * day, 3, 13), sumOf(700 * day, 30, 2), sumOf(701 * day, 3, 16)]);
      expect(await sums({ to: 701 * day, project: 'a' })).toEqual([sumOf(700 * day, 3, 5), sumOf(700 * day, 30, 2)]);
      expect(await sums({ by: 'project', keyId: 'key_2' })).toEqual([sumOf('b', 3, 8)]);
      expect(await sums({ by: 'keyId', model: 'large' })).toEqual([sumOf('key_2', 3, 8)]);
      expect(await sums({ by: 'model' })).toEqual([sumOf('large', 3, 8), sumOf('small', 3, 21), sumOf('small', 30, 2)]);
      await expect(store.addDurations([durationsOf(1, 4, day1), durationsOf(Number.NaN, 5, day1)])).rejects.toThrow();
      expect(await sums({ to: 701 * day, project: 'a' })).toHaveLength(2);
      await store.addDurations([]);
    });
  });
}
