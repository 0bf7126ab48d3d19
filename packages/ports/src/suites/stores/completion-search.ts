import { beforeEach, describe, expect, test } from 'vitest';
import { parseSearch, searchedLength } from '../../completion-search.ts';
import type { CompletionQuery, CompletionStore } from '../../completion-store.ts';
import { hostileTexts } from './completions.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { appendAll, completionRecord, listAllIds } from './records.ts';
import type { CompletionRecordInit } from './records.ts';

const saying = (content: string, init: CompletionRecordInit = {}): CompletionRecordInit => ({
  ...init,
  messages: [{ role: 'user', content }],
});

/** Searches, and whether they find `text`. */
const searches: readonly { readonly text: string; readonly finds: string; readonly not: string }[] = [
  { text: 'The quick brown fox.', finds: 'fox THE', not: 'fox dog' },
  { text: 'The quick brown fox.', finds: '"quick brown" fox', not: '"brown quick"' },
  { text: 'The quick brown fox.', finds: 'bro* "the qui"*', not: 'bro' },
  { text: 'get_weather({"city":"Zürich"})', finds: 'get_weather zurich', not: 'weather_get' },
  { text: 'Das Café in ÉVRY', finds: 'cafe évry', not: 'caf' },
  { text: '東京タワーへ行きました', finds: '京タワ', not: '東タワ' },
  { text: '서울에서 만나요', finds: '서울 만나', not: '에만' },
  { text: 'Party 🎉 with 👩🏽‍💻', finds: '🎉 "👩 💻"', not: '🥳' },
  { text: 'a\0b NEAR(c d) e* col:f', finds: '"a b" near "c d" e col:f', not: 'NEAR(a f)' },
  { text: 'x', finds: 'x "" * ***" -- \0 \ue000', not: "x' OR 1=1" },
  { text: 'k'.repeat(3000), finds: `${'k'.repeat(2999)}*`, not: 'k'.repeat(2999) },
];

export function describeCompletionSearch(open: () => Promise<StoresUnderTest>): void {
  describe('a search for completions', () => {
    const { stores, project } = openStores(open);
    beforeEach(({ skip }) => skip(stores().canSearch !== true));

    async function idsOf(store: CompletionStore, search: string, query: Partial<CompletionQuery> = {}) {
      const page = await store.list({ limit: 100, order: 'asc', ...query, search: parseSearch(search) });
      return page?.items.map(({ id }) => id);
    }

    test.each(searches)('of $text finds $finds, and not $not', async ({ text, finds, not }) => {
      const { completions } = project();
      const ids = await appendAll(completions, [saying(text), saying('Something else')]);
      expect(await idsOf(completions, finds)).toEqual([ids[0]]);
      expect(await idsOf(completions, not)).toEqual([]);
    });

    test('stores and looks for any text', async () => {
      const { completions } = project();
      const long = Array.from({ length: 1500 }, (_, index) => `word${index}`).join(' ');
      const texts = [...hostileTexts, long, `"${long}`, '" '.repeat(5000)];
      const ids = await appendAll(
        completions,
        texts.map((text) => saying(`${text} marker`)),
      );
      expect(await idsOf(completions, 'marker')).toEqual(ids);
      for (const [index, text] of texts.entries()) {
        const search = parseSearch(text);
        if (search.length > 0 && search.length <= 64) expect(await idsOf(completions, text)).toContain(ids[index]);
      }
      const ideographs = Array.from({ length: searchedLength }, (_, index) => String.fromCodePoint(0x4e00 + index));
      const [most = ''] = await appendAll(completions, [saying(`most ${ideographs.join('')}`)]);
      expect(await idsOf(completions, `most ${ideographs.slice(9000, 9005).join('')}`)).toEqual([most]);
    });

    test('looks in replies, refusals and calls of tools, and in prompts from the last message on', async () => {
      const { completions } = project();
      const { completion } = completionRecord();
      const [choice] = completion.choices;
      if (!choice) throw new Error('there is no choice');
      const message = {
        role: 'assistant',
        content: null,
        refusal: 'cannot',
        tool_calls: [
          {
            id: 'a',
            type: 'function',
            function: { name: 'find_trains', arguments: String.raw`{"to":"Gen\u00e8ve\nor Bern"}` },
          },
          { id: 'b', type: 'custom', custom: { name: 'run', input: 'select 1' } },
        ],
      } as const;
      const middle = 'middle '.repeat(searchedLength / 7);
      const messages = ['first', middle, 'last'].map((content, index) => ({ id: `${index}`, role: 'user', content }));
      await completions.append({ completion: { ...completion, choices: [{ ...choice, message }] }, messages });
      for (const search of ['cannot', 'find_trains', 'geneve "or bern"', 'run select', 'last "middle middle"'])
        expect(await idsOf(completions, search)).toEqual([completion.id]);
      // One text ends where the next begins, and not all of a long conversation is found.
      for (const search of ['"cannot find"', 'first']) expect(await idsOf(completions, search)).toEqual([]);
    });

    test('returns pages in the order of the list, with all other filters', async () => {
      const { completions } = project();
      const times = [30, 10, 20, 10, 30, 10];
      const ids = await appendAll(
        completions,
        times.map((created, index) =>
          saying('all', { created, model: index % 2 === 0 ? 'a' : 'b', metadata: { n: '1' } }),
        ),
      );
      await appendAll(completions, [saying('other', { created: 20 })]);
      const sorted = [1, 3, 5, 2, 0, 4].map((index) => ids[index]);
      const search = parseSearch('all');
      for (const limit of [1, 2, 6, 7]) {
        expect(await listAllIds(completions, { limit, order: 'asc', search })).toEqual(sorted);
        expect(await listAllIds(completions, { limit, order: 'desc', search })).toEqual(sorted.toReversed());
      }
      for (const order of ['asc', 'desc'] as const) {
        const inOrder = order === 'asc' ? sorted : sorted.toReversed();
        const at = (id: string | undefined): number => times[ids.indexOf(id ?? '')] ?? -1;
        expect(await idsOf(completions, 'all', { order, createdFrom: 20, createdBefore: 30 })).toEqual(
          inOrder.filter((id) => at(id) === 20),
        );
        expect(await idsOf(completions, 'all', { order, createdBefore: Number.MAX_SAFE_INTEGER })).toEqual(inOrder);
        expect(await idsOf(completions, 'all', { order, createdFrom: Number.MAX_SAFE_INTEGER })).toEqual([]);
      }
      expect(await idsOf(completions, 'all', { model: 'b', metadata: { n: '1' } })).toEqual([ids[1], ids[3], ids[5]]);
      expect(await idsOf(completions, 'all', { model: 'b', metadata: { n: '2' } })).toEqual([]);
      const query = { limit: 2, order: 'desc', search } as const;
      const page = await completions.list(query);
      expect((await completions.listSummaries(query))?.items.map(({ id }) => id)).toEqual(
        sorted.toReversed().slice(0, 2),
      );
      expect((await completions.listRecords(query))?.items.map(({ completion }) => completion)).toEqual(page?.items);
      expect(await completions.list({ ...query, after: 'chatcmpl-none' })).toBeUndefined();
    });

    test('finds nothing of other projects, and nothing that was deleted', async () => {
      const [mine, others] = [project().completions, project().completions];
      const [id = ''] = await appendAll(mine, [saying('secret word')]);
      await appendAll(others, [saying('another word')]);
      expect(await idsOf(mine, 'word')).toEqual([id]);
      expect(await idsOf(others, 'secret')).toEqual([]);
      await mine.setMetadata(id, { a: 'b' });
      expect(await idsOf(mine, 'word', { metadata: { a: 'b' } })).toEqual([id]);
      expect(await mine.delete(id)).toBe(true);
      expect(await idsOf(mine, 'word')).toEqual([]);
    });
  });
}
