import { describe, expect, test } from 'vitest';
import type { UsageIncrement } from '../../usage-store.ts';
import { hostileTexts } from './completions.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';

const day = 86_400;
const used = (init: Partial<UsageIncrement> = {}): UsageIncrement => ({
  day: 100 * day,
  project: 'a',
  keyId: 'key_1',
  model: 'small',
  requests: 1,
  inputTokens: 10,
  outputTokens: 20,
  cachedTokens: 3,
  costMicros: 7,
  ...init,
});

export function describeUsage(open: () => Promise<StoresUnderTest>): void {
  describe('usage', () => {
    const { stores } = openStores(open);
    const read = (from: number, to = from + 1) => stores().usage.read({ from: from * day, to: to * day });

    test('is summed by day, project, key and model, and returned in that order', async () => {
      const entries = [
        used({ day: 101 * day }),
        used({ model: 'large' }),
        used({ keyId: 'key_0' }),
        used({ project: 'b' }),
        used(),
      ];
      await stores().usage.add(entries);
      await stores().usage.add([
        used({ requests: 2, inputTokens: 1, outputTokens: 2, cachedTokens: 0, costMicros: 2 }),
      ]);
      expect(await read(100, 102)).toEqual([
        used({ keyId: 'key_0' }),
        used({ model: 'large' }),
        used({ requests: 3, inputTokens: 11, outputTokens: 22, cachedTokens: 3, costMicros: 9 }),
        used({ project: 'b' }),
        used({ day: 101 * day }),
      ]);
    });

    test('is returned for a range of days and the requested projects, keys and models', async () => {
      const entries = [
        used({ day: 200 * day }),
        used({ day: 201 * day, keyId: 'key_2' }),
        used({ day: 202 * day, model: 'large', project: 'b' }),
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

    test('counts every concurrent addition, also twice in one call', async () => {
      const one = used({ day: 300 * day, model: 'small' });
      const two = used({ day: 300 * day, model: 'large' });
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => stores().usage.add(index % 2 ? [one, two, one] : [two, one])),
      );
      expect(await read(300)).toEqual([
        used({
          day: 300 * day,
          model: 'large',
          requests: 50,
          inputTokens: 500,
          outputTokens: 1000,
          cachedTokens: 150,
          costMicros: 350,
        }),
        used({
          day: 300 * day,
          model: 'small',
          requests: 75,
          inputTokens: 750,
          outputTokens: 1500,
          cachedTokens: 225,
          costMicros: 525,
        }),
      ]);
    });

    test('adds all of a call or nothing', async () => {
      const broken = used({ day: 400 * day, model: 'z-broken', requests: Number.NaN });
      await expect(stores().usage.add([used({ day: 400 * day }), broken])).rejects.toThrow();
      expect(await read(400)).toEqual([]);
      await stores().usage.add([]);
    });

    test('counts beyond 32 bits', async () => {
      const many = used({ day: 500 * day, inputTokens: 3_000_000_000_000, outputTokens: 5_000_000_000 });
      await stores().usage.add([many]);
      await stores().usage.add([many]);
      expect(await read(500)).toMatchObject([{ inputTokens: 6_000_000_000_000, outputTokens: 10_000_000_000 }]);
    });

    test('keeps every text unchanged', async () => {
      const entries = hostileTexts.map((text) => used({ day: 600 * day, project: text, keyId: text, model: text }));
      await stores().usage.add(entries);
      const found = await read(600);
      expect(found).toHaveLength(entries.length);
      expect(found).toEqual(expect.arrayContaining(entries));
      for (const [index, text] of hostileTexts.entries()) {
        const query = { from: 600 * day, to: 601 * day, models: [text] };
        expect(await stores().usage.read(query)).toEqual([entries[index]]);
      }
    });
  });
}
