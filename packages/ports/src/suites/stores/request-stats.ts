import { describe, expect, test } from 'vitest';
import type { DailyKey } from '../../daily-key.ts';
import type {
  DurationCount,
  DurationQuery,
  MinuteStats,
  RequestStats,
  RequestStatsStore,
} from '../../request-stats-store.ts';
import type { Stores } from '../../stores.ts';
import { hostileTexts } from './completions.ts';
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

    const countsOf = (requests: number) => ({
      requests,
      errors: 2 * requests,
      inputTokens: 3 * requests,
      outputTokens: 4 * requests,
      cachedTokens: 5 * requests,
      costMicros: 6 * requests,
      firstTokens: 7 * requests,
    });
    const minuteOf = (requests: number, key: Partial<MinuteStats> = {}): MinuteStats => ({
      ...{ minute: 800 * day, project: 'a', model: 'small', range: 3 },
      ...countsOf(requests),
      ...key,
    });
    const readMinutes = async (query: Partial<Parameters<RequestStatsStore['readMinutes']>[0]> = {}) =>
      (await storeOf(stores()).readMinutes({ from: 800 * day, to: 801 * day, step: 60, ...query })).toSorted(
        (a, b) => a.start - b.start || a.range - b.range,
      );

    test('minutes are summed by step and range, of all projects and models or of one', async () => {
      const store = storeOf(stores());
      const start = 800 * day;
      await store.addMinutes([minuteOf(1), minuteOf(2), minuteOf(4, { minute: start + 60 })]);
      await store.addMinutes([
        minuteOf(8, { minute: start + 840, range: 30, project: 'b', model: 'large' }),
        minuteOf(16, { minute: start + 900, project: 'b' }),
        minuteOf(32, { minute: start + day }),
        minuteOf(32, { minute: start - 60 }),
      ]);
      await store.addMinutes([]);
      const sumOf = (seconds: number, range: number, requests: number) => ({
        start: start + seconds,
        range,
        ...countsOf(requests),
      });
      expect(await readMinutes()).toEqual([sumOf(0, 3, 3), sumOf(60, 3, 4), sumOf(840, 30, 8), sumOf(900, 3, 16)]);
      expect(await readMinutes({ step: 900 })).toEqual([sumOf(0, 3, 7), sumOf(0, 30, 8), sumOf(900, 3, 16)]);
      expect(await readMinutes({ step: 3600, to: start + 900 })).toEqual([sumOf(0, 3, 7), sumOf(0, 30, 8)]);
      expect(await readMinutes({ step: 3600, project: 'b' })).toEqual([sumOf(0, 3, 16), sumOf(0, 30, 8)]);
      expect(await readMinutes({ step: 3600, model: 'small', project: 'a' })).toEqual([sumOf(0, 3, 7)]);
      expect(await readMinutes({ project: "' or 1=1 --" })).toEqual([]);
    });

    test('minutes contain every concurrent addition, and all of a call or nothing', async () => {
      const store = storeOf(stores());
      const minute = 802 * day;
      const [one, two] = [minuteOf(1, { minute }), minuteOf(1, { minute, range: 4 })];
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => store.addMinutes(index % 2 ? [one, two, one] : [two, one])),
      );
      const broken = minuteOf(Number.NaN, { minute, range: 5 });
      await expect(store.addMinutes([one, broken])).rejects.toThrow();
      const range = { from: minute, to: minute + 60 };
      expect(await readMinutes(range)).toEqual([
        { start: minute, range: 3, ...countsOf(75) },
        { start: minute, range: 4, ...countsOf(50) },
      ]);
    });

    test('minutes of every text are found by it, and the largest counts can be read', async () => {
      const store = storeOf(stores());
      const minute = 803 * day;
      const most = minuteOf(1, { minute, requests: Number.MAX_SAFE_INTEGER, costMicros: Number.MAX_SAFE_INTEGER });
      const entries = hostileTexts.map((text) => ({ ...most, project: text, model: text }));
      await store.addMinutes(entries);
      await store.addMinutes(entries);
      const range = { from: minute, to: minute + 60 };
      for (const text of hostileTexts) {
        const [found, ...others] = await readMinutes({ ...range, project: text, model: text });
        expect(others).toEqual([]);
        expect(found).toMatchObject({
          requests: Number.MAX_SAFE_INTEGER,
          costMicros: Number.MAX_SAFE_INTEGER,
          errors: 4,
        });
      }
    });

    test('minutes are removed after two days, the oldest first', async () => {
      const store = storeOf(stores());
      const now = 900 * day;
      const minutes = [now - 2 * day, now - 2 * day - 60, now - 2 * day - 120];
      await store.addMinutes(minutes.map((minute) => minuteOf(1, { minute })));
      const remove = () => stores().removeExpired({ completionsBefore: undefined, now: now * 1000, limit: 1000 });
      await remove();
      const found = await readMinutes({ from: now - 3 * day, to: now });
      expect(found.map(({ start }) => start)).toEqual(minutes.slice(0, 1));
    });
  });
}
