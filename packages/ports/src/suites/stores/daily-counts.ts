import { describe, expect, test } from 'vitest';
import type { DailyKey } from '../../daily-key.ts';
import type { Stores } from '../../stores.ts';
import { hostileTexts } from './completions.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';

export const day = 86_400;

export const dailyKey: DailyKey = { day: 100 * day, project: 'a', keyId: 'key_1', model: 'small' };

interface DailyCountsUnderTest<Entry> {
  readonly name: string;
  storeOf(stores: Stores): {
    add(entries: readonly Entry[]): Promise<void>;
    read(days: { readonly from: number; readonly to: number }): Promise<readonly Entry[]>;
  };
  /** The entry of so many requests: every count is proportional to their number. Other fields of the key are those of `dailyKey`. */
  entryOf(requests: number, key?: Partial<DailyKey>): Entry;
}

/** The contract of every store that adds up counts by day, project, key and model. */
export function describeDailyCounts<Entry>(
  open: () => Promise<StoresUnderTest>,
  { name, storeOf, entryOf }: DailyCountsUnderTest<Entry>,
): void {
  describe(`daily counts of ${name}`, () => {
    const { stores } = openStores(open);
    const add = (...entries: readonly Entry[]) => storeOf(stores()).add(entries);
    const read = (from: number, to = from + 1) => storeOf(stores()).read({ from: from * day, to: to * day });

    test('are summed by day, project, key and model, and returned in that order', async () => {
      const [nextDay, large, key0, projectB] = [
        entryOf(1, { day: 101 * day }),
        entryOf(1, { model: 'large' }),
        entryOf(1, { keyId: 'key_0' }),
        entryOf(1, { project: 'b' }),
      ];
      await add(nextDay, large, key0, projectB, entryOf(1));
      await add(entryOf(2));
      expect(await read(100, 102)).toEqual([key0, large, entryOf(3), projectB, nextDay]);
    });

    test('contain every concurrent addition, also twice in one call', async () => {
      const [small, large] = [{ day: 300 * day }, { day: 300 * day, model: 'large' }];
      const [one, two] = [entryOf(1, small), entryOf(1, large)];
      await Promise.all(Array.from({ length: 50 }, (_, index) => (index % 2 ? add(one, two, one) : add(two, one))));
      expect(await read(300)).toEqual([entryOf(50, large), entryOf(75, small)]);
    });

    test('contain all of a call or nothing', async () => {
      const broken = entryOf(Number.NaN, { day: 400 * day, model: 'z-broken' });
      await expect(add(entryOf(1, { day: 400 * day }), broken)).rejects.toThrow();
      expect(await read(400)).toEqual([]);
      await add();
    });

    test('exceed 32 bits', async () => {
      const many = entryOf(300_000_000_000, { day: 500 * day });
      await add(many);
      await add(many);
      expect(await read(500)).toEqual([entryOf(600_000_000_000, { day: 500 * day })]);
    });

    test('stop at the largest count that can be read', async () => {
      const key = { day: 550 * day };
      const most = entryOf(Number.MAX_SAFE_INTEGER, key);
      for (let time = 0; time < 3; time++) await add(...Array.from({ length: 500 }, () => most), entryOf(1, key));
      const [found, ...others] = await read(550);
      expect(others).toEqual([]);
      const counts = Object.values({ ...found }).filter((value) => typeof value === 'number' && value !== key.day);
      expect(new Set(counts)).toEqual(new Set([Number.MAX_SAFE_INTEGER]));
    });

    test('keep every text unchanged', async () => {
      const entries = hostileTexts.map((text) =>
        entryOf(1, { day: 600 * day, project: text, keyId: text, model: text }),
      );
      await add(...entries);
      const found = await read(600);
      const expected: unknown[] = entries;
      expect(found).toHaveLength(entries.length);
      expect(found).toEqual(expect.arrayContaining(expected));
    });
  });
}
