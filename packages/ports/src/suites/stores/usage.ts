import { describe, expect, test } from 'vitest';
import type { DailyKey } from '../../daily-key.ts';
import type { UsageIncrement } from '../../usage-store.ts';
import { hostileTexts } from './completions.ts';
import { dailyKey, day, describeDailyCounts } from './daily-counts.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';

const usageOf = (requests: number, key: Partial<DailyKey> = {}): UsageIncrement => ({
  ...dailyKey,
  ...key,
  requests,
  inputTokens: 10 * requests,
  outputTokens: 20 * requests,
  cachedTokens: 3 * requests,
  costMicros: 7 * requests,
});

export function describeUsage(open: () => Promise<StoresUnderTest>): void {
  describeDailyCounts(open, { name: 'usage', storeOf: ({ usage }) => usage, entryOf: usageOf });

  describe('usage', () => {
    const { stores } = openStores(open);

    test('is returned for a range of days and the requested projects, keys and models', async () => {
      const entries = [
        usageOf(1, { day: 200 * day }),
        usageOf(1, { day: 201 * day, keyId: 'key_2' }),
        usageOf(1, { day: 202 * day, model: 'large', project: 'b' }),
      ];
      await stores().usage.add(entries);
      const all = { from: 200 * day, to: 203 * day };
      const find = (query: object) => stores().usage.read({ ...all, ...query });
      expect(await find({})).toEqual(entries);
      expect(await find({ from: 201 * day, to: 202 * day })).toEqual([entries[1]]);
      expect(await find({ projects: ['b', 'c'] })).toEqual([entries[2]]);
      expect(await find({ keyIds: ['key_2', "' or 1=1 --"] })).toEqual([entries[1]]);
      expect(await find({ models: ['large', 'small'] })).toEqual(entries);
      expect(await find({ projects: ['a'], keyIds: ['key_1'], models: ['small'] })).toEqual([entries[0]]);
      expect(await find({ projects: [] })).toEqual([]);
    });

    test('is found by every text', async () => {
      const entries = hostileTexts.map((text) => usageOf(1, { day: 600 * day, model: text }));
      await stores().usage.add(entries);
      for (const [index, text] of hostileTexts.entries()) {
        const query = { from: 600 * day, to: 601 * day, models: [text] };
        expect(await stores().usage.read(query)).toEqual([entries[index]]);
      }
    });
  });
}
