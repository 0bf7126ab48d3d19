import { describe, expect, test } from 'vitest';
import type { RequestStats } from '../../request-stats-store.ts';
import { hostileTexts } from './completions.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';

const day = 86_400;
const statsOf = (init: Partial<RequestStats> = {}): RequestStats => ({
  day: 100 * day,
  project: 'a',
  keyId: 'key_1',
  model: 'small',
  requests: 1,
  errors: 0,
  durationMs: 10,
  ...init,
});

export function describeRequestStats(open: () => Promise<StoresUnderTest>): void {
  describe('request statistics', () => {
    const { stores } = openStores(open);
    const store = () => {
      const { requestStats } = stores();
      if (!requestStats) throw new Error('these stores have no request statistics');
      return requestStats;
    };
    const read = (from: number, to = from + 1) => store().read({ from: from * day, to: to * day });

    test('are summed by day, project, key and model, and returned in that order', async () => {
      await store().add([
        statsOf({ day: 101 * day }),
        statsOf({ model: 'large' }),
        statsOf({ keyId: 'key_0' }),
        statsOf({ project: 'b' }),
        statsOf(),
      ]);
      await store().add([statsOf({ requests: 2, errors: 1, durationMs: 5_000_000_000 })]);
      expect(await read(100, 102)).toEqual([
        statsOf({ keyId: 'key_0' }),
        statsOf({ model: 'large' }),
        statsOf({ requests: 3, errors: 1, durationMs: 5_000_000_010 }),
        statsOf({ project: 'b' }),
        statsOf({ day: 101 * day }),
      ]);
    });

    test('are filtered by project, key and model', async () => {
      const entries = [
        statsOf({ day: 200 * day, project: 'a' }),
        statsOf({ day: 200 * day, project: 'b', keyId: 'key_2' }),
        statsOf({ day: 201 * day, project: 'b', model: 'large' }),
      ];
      await store().add(entries);
      const find = (query: object) => store().read({ from: 200 * day, to: 202 * day, ...query });
      expect(await find({})).toEqual(entries);
      expect(await find({ project: 'b' })).toEqual([entries[1], entries[2]]);
      expect(await find({ keyId: 'key_2' })).toEqual([entries[1]]);
      expect(await find({ model: 'large', project: 'b' })).toEqual([entries[2]]);
      expect(await find({ model: "' or 1=1 --" })).toEqual([]);
    });

    test('count every concurrent addition', async () => {
      const [one, two] = [statsOf({ day: 300 * day }), statsOf({ day: 300 * day, model: 'large' })];
      await Promise.all(Array.from({ length: 40 }, (_, index) => store().add(index % 2 ? [one, two] : [two, one])));
      expect((await read(300)).map(({ requests }) => requests)).toEqual([40, 40]);
    });

    test('keep every text unchanged', async () => {
      const entries = hostileTexts.map((text) => statsOf({ day: 600 * day, project: text, keyId: text, model: text }));
      await store().add(entries);
      const found = await read(600);
      expect(found).toHaveLength(entries.length);
      expect(found).toEqual(expect.arrayContaining(entries));
    });
  });
}
