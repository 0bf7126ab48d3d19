import { describe, expect, test } from 'vitest';
import type { DailyKey } from '../../daily-key.ts';
import type { RequestStats, RequestStatsStore } from '../../request-stats-store.ts';
import type { Stores } from '../../stores.ts';
import { dailyKey, day, describeDailyCounts } from './daily-counts.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';

const statsOf = (requests: number, key: Partial<DailyKey> = {}): RequestStats => ({
  ...dailyKey,
  ...key,
  requests,
  errors: 2 * requests,
  durationMs: 10 * requests,
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
  });
}
