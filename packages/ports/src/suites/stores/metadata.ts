import { describe, expect, test } from 'vitest';
import type { Metadata } from '@modelwire/schema/types';
import { hostileTexts } from './completions.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { appendAll, completionRecord } from './records.ts';

export function describeMetadata(open: () => Promise<StoresUnderTest>): void {
  describe('a filter by metadata', () => {
    const { project } = openStores(open);
    const found = async (
      completions: ReturnType<typeof project>['completions'],
      metadata: Metadata,
      model?: string,
    ): Promise<string[]> =>
      ((await completions.list({ metadata, model, limit: 100, order: 'asc' }))?.items ?? []).map(({ id }) => id);

    test('finds records with all of its pairs, whatever other pairs they have', async () => {
      const { completions } = project();
      const [a, ab, b, abc] = await appendAll(completions, [
        { metadata: { a: '1' } },
        { metadata: { a: '1', b: '2' } },
        { metadata: { b: '2' } },
        { metadata: { c: '3', b: '2', a: '1' }, model: 'large' },
        { metadata: { a: '2', b: '1' } },
        {},
      ]);
      expect(await found(completions, { a: '1' })).toEqual([a, ab, abc]);
      expect(await found(completions, { b: '2', a: '1' })).toEqual([ab, abc]);
      expect(await found(completions, { b: '2' })).toEqual([ab, b, abc]);
      expect(await found(completions, { a: '1', b: '2', c: '3' })).toEqual([abc]);
      expect(await found(completions, { a: '1', b: '2' }, 'large')).toEqual([abc]);
      expect(await found(completions, { a: '1', b: '1' })).toEqual([]);
      expect(await found(completions, {}, 'large')).toEqual([abc]);
      expect(await found(completions, {})).toHaveLength(6);
    });

    test('finds the few among the many, whichever pair comes first', async () => {
      const { completions } = project();
      await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          completions.append(
            completionRecord({ created: index, metadata: { all: 'yes', ...(index % 20 === 7 && { few: 'yes' }) } }),
          ),
        ),
      );
      for (const metadata of [
        { all: 'yes', few: 'yes' },
        { few: 'yes', all: 'yes' },
      ]) {
        const page = await completions.list({ metadata, limit: 2, order: 'desc' });
        expect(page?.items.map(({ created }) => created)).toEqual([47, 27]);
        const last = await completions.list({ metadata, limit: 2, order: 'desc', after: page?.items[1]?.id });
        expect(last).toMatchObject({ items: [{ created: 7 }], hasMore: false });
      }
    });

    test('accepts 16 pairs of 64 and 512 characters beyond the basic plane', async () => {
      const { completions } = project();
      const pairs = Array.from({ length: 16 }, (_, index) => [
        `${'😀'.repeat(62)}${String(index).padStart(2, '0')}`,
        '🦀'.repeat(512),
      ]);
      const metadata = Object.fromEntries(pairs) as Metadata;
      const [id = ''] = await appendAll(completions, [{ metadata }]);
      expect(await found(completions, metadata)).toEqual([id]);
      expect((await completions.get(id))?.metadata).toEqual(metadata);
      const [key = '', value = ''] = pairs[0] ?? [];
      expect(await found(completions, { [key]: `${value.slice(2)}x` })).toEqual([]);
    });

    test('matches every text exactly, in keys and in values', async () => {
      const { completions } = project();
      const ids = await appendAll(
        completions,
        hostileTexts.map((text) => ({
          metadata: metadataFromPairs([
            [text, text],
            ['all', 'yes'],
          ]),
        })),
      );
      for (const [index, text] of hostileTexts.entries()) {
        expect(await found(completions, metadataFromPairs([[text, text]])), JSON.stringify(text)).toEqual([ids[index]]);
        expect(await found(completions, metadataFromPairs([[text, 'yes']]))).toEqual([]);
        expect(await found(completions, metadataFromPairs([['all', text]]))).toEqual([]);
        expect((await completions.get(ids[index] ?? ''))?.metadata).toEqual(
          metadataFromPairs([
            [text, text],
            ['all', 'yes'],
          ]),
        );
      }
      expect(await found(completions, { all: 'yes' })).toEqual(ids);
    });

    test('distinguishes where a key ends and its value starts', async () => {
      const { completions } = project();
      const [one] = await appendAll(completions, [
        { metadata: { ab: 'c' } },
        { metadata: { a: 'bc' } },
        { metadata: { abc: '' } },
      ]);
      expect(await found(completions, { ab: 'c' })).toEqual([one]);
      expect(await found(completions, { '': 'abc' })).toEqual([]);
    });
  });

  describe('setting metadata', () => {
    const { project } = openStores(open);
    const list = { limit: 10, order: 'asc' } as const;

    test('replaces all pairs and the filter results, and nothing else', async () => {
      const { completions } = project();
      const record = completionRecord({ metadata: { old: 'yes', both: 'before' } });
      const { id } = record.completion;
      await completions.append(record);
      const next = { both: 'after', 'new\0': "it's" };
      const expected = { ...record.completion, metadata: next };
      expect(await completions.setMetadata(id, next)).toEqual(expected);
      expect(await completions.get(id)).toEqual(expected);
      const gone: Metadata[] = [{ old: 'yes' }, { both: 'before' }];
      for (const metadata of gone) {
        expect((await completions.list({ ...list, metadata }))?.items).toEqual([]);
      }
      const there: Metadata[] = [{ both: 'after' }, { 'new\0': "it's" }, next];
      for (const metadata of there) {
        expect((await completions.list({ ...list, metadata }))?.items).toEqual([expected]);
      }
      expect((await completions.list({ ...list, model: 'small' }))?.items).toEqual([expected]);
      expect((await completions.messages(id, list))?.items).toEqual(record.messages);
    });

    test('can remove all pairs, and keeps the position in the list', async () => {
      const { completions } = project();
      const ids = await appendAll(completions, [
        { metadata: { a: '1' } },
        { metadata: { a: '1' } },
        { metadata: { a: '1' } },
      ]);
      expect((await completions.setMetadata(ids[0] ?? '', {}))?.metadata).toEqual({});
      expect((await completions.list({ ...list, metadata: { a: '1' } }))?.items.map(({ id }) => id)).toEqual(
        ids.slice(1),
      );
      await completions.setMetadata(ids[0] ?? '', { a: '1' });
      expect((await completions.list({ ...list, metadata: { a: '1' } }))?.items.map(({ id }) => id)).toEqual(ids);
      expect((await completions.list(list))?.items.map(({ id }) => id)).toEqual(ids);
    });

    test('concurrently results in the pairs of one call, and a filter that matches them', async () => {
      const { completions } = project();
      const [id = ''] = await appendAll(completions, [{}]);
      const writers = Array.from({ length: 20 }, (_, index) => ({ writer: String(index), [`of ${index}`]: 'yes' }));
      await Promise.all(writers.map((metadata) => completions.setMetadata(id, metadata)));
      const metadata = (await completions.get(id))?.metadata ?? {};
      expect(writers).toContainEqual(metadata);
      for (const one of writers) {
        const expected = one.writer === metadata['writer'] ? 1 : 0;
        expect((await completions.list({ ...list, metadata: one }))?.items).toHaveLength(expected);
      }
    });
  });
}

/** Also of `__proto__`, which an object literal would take for its prototype. */
function metadataFromPairs(pairs: readonly (readonly [string, string])[]): Metadata {
  return Object.fromEntries(pairs);
}
