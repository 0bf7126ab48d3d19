import { describe, expect, test } from 'vitest';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { completionRecord } from './records.ts';

/** Texts with a special meaning to a database, a shell or an unsafe program. */
export const hostileTexts: readonly string[] = [
  "'; drop table completions; --",
  `" or "1"="1`,
  '\\',
  '%',
  '_',
  '$1',
  '?1',
  ':id',
  '\0',
  'a\0b',
  '\u0001',
  '\u00010000',
  '\ud800',
  '\udfff\ud800',
  '\ufffd',
  'line\nbreak\r\n\t',
  '😀 Ünïcödé 漢字 עברית',
  'e\u0301',
  '\u00e9',
  '__proto__',
  'constructor',
  '{"a":1}',
];

export function describeCompletions(open: () => Promise<StoresUnderTest>): void {
  describe('one completion', () => {
    const { stores, project } = openStores(open);
    const page = { limit: 10, order: 'asc' } as const;

    test('is returned as it was stored when append resolves', async () => {
      const { completions } = project();
      const record = completionRecord({
        metadata: { topic: 'bread' },
        messages: [
          { role: 'system', content: 'Be short.' },
          {
            role: 'user',
            content: null,
            content_parts: [
              { type: 'text', text: 'What is it?' },
              { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(300_000)}` } },
            ],
          },
        ],
      });
      await completions.append(record);
      expect(await completions.get(record.completion.id)).toEqual(record.completion);
      expect(await completions.messages(record.completion.id, page)).toEqual({
        items: record.messages,
        hasMore: false,
      });
    });

    test('without metadata has empty metadata', async () => {
      const { completions } = project();
      const { completion, messages } = completionRecord();
      await completions.append({ completion, messages });
      expect((await completions.get(completion.id))?.metadata).toEqual({});
    });

    test('keeps every text unchanged: IDs, models, projects and content', async () => {
      for (const text of hostileTexts) {
        const { completions } = stores().project(`of ${text}`);
        const id = `id ${text}`;
        const record = completionRecord({ id, model: text, messages: [{ role: 'user', content: text, name: text }] });
        await completions.append(record);
        expect(await completions.get(id)).toEqual(record.completion);
        expect(await completions.list({ ...page, model: text })).toEqual({
          items: [record.completion],
          hasMore: false,
        });
        expect((await completions.messages(id, page))?.items).toEqual(record.messages);
        expect(await stores().project(`of ${text} `).completions.get(id)).toBeUndefined();
        expect(await completions.delete(id)).toBe(true);
      }
    });

    test('that rejects leaves existing data unchanged', async () => {
      const { completions } = project();
      const record = completionRecord({ metadata: { a: '1' } });
      const { id } = record.completion;
      await completions.append(record);
      const again = completionRecord({ id, model: 'other', metadata: { b: '2' }, messages: [] });
      await expect(completions.append(again)).rejects.toThrow();
      await expect(project().completions.append(again)).rejects.toThrow();
      expect(await completions.get(id)).toEqual(record.completion);
      expect((await completions.messages(id, page))?.items).toEqual(record.messages);
      expect((await completions.list({ ...page, metadata: { b: '2' } }))?.items).toEqual([]);
      expect((await completions.list({ ...page, model: 'other' }))?.items).toEqual([]);
    });

    test('that rejects does not affect those appended concurrently', async () => {
      const { completions } = project();
      const taken = completionRecord();
      await completions.append(taken);
      const records = Array.from({ length: 20 }, () => completionRecord({ metadata: { batch: 'b' } }));
      const outcomes = await Promise.allSettled([
        ...records.slice(0, 10).map((record) => completions.append(record)),
        completions.append(taken),
        ...records.slice(10).map((record) => completions.append(record)),
      ]);
      expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
      const found = await completions.list({ limit: 100, order: 'asc', metadata: { batch: 'b' } });
      expect(new Set(found?.items.map(({ id }) => id))).toEqual(
        new Set(records.map(({ completion }) => completion.id)),
      );
    });

    test('does not exist for another project, in any call', async () => {
      const mine = project().completions;
      const other = project().completions;
      const record = completionRecord({ metadata: { a: '1' } });
      const { id } = record.completion;
      await mine.append(record);
      for (const unknown of [id, 'chatcmpl-none']) {
        expect(await other.get(unknown)).toBeUndefined();
        expect(await other.messages(unknown, page)).toBeUndefined();
        expect(await other.setMetadata(unknown, { stolen: 'yes' })).toBeUndefined();
        expect(await other.delete(unknown)).toBe(false);
        expect(await other.list({ ...page, after: unknown })).toBeUndefined();
      }
      for (const query of [page, { ...page, model: 'small' }, { ...page, metadata: { a: '1' } }]) {
        expect(await other.list(query)).toEqual({ items: [], hasMore: false });
      }
      expect((await other.list({ ...page, metadata: { stolen: 'yes' } }))?.items).toEqual([]);
      expect((await mine.list({ ...page, metadata: { stolen: 'yes' } }))?.items).toEqual([]);
      expect(await mine.get(id)).toEqual(record.completion);
    });

    test('that was deleted is gone, with its messages and from every list', async () => {
      const { completions } = project();
      const record = completionRecord({ metadata: { a: '1' } });
      const { id } = record.completion;
      await completions.append(record);
      expect(await completions.delete(id)).toBe(true);
      expect(await completions.delete(id)).toBe(false);
      expect(await completions.get(id)).toBeUndefined();
      expect(await completions.messages(id, page)).toBeUndefined();
      expect(await completions.setMetadata(id, {})).toBeUndefined();
      for (const query of [page, { ...page, model: 'small' }, { ...page, metadata: { a: '1' } }]) {
        expect((await completions.list(query))?.items).toEqual([]);
      }
      await completions.append(completionRecord({ id, metadata: { b: '2' } }));
      expect((await completions.list({ ...page, metadata: { a: '1' } }))?.items).toEqual([]);
    });
  });

  describe('messages of a completion', () => {
    const { project } = openStores(open);
    const messages = ['a', 'b', 'c', 'd', 'e'].map((content) => ({ role: 'user', content }) as const);

    test('lists in the order of the request, or its reverse for desc, page by page', async () => {
      const { completions } = project();
      const { completion, messages: kept } = completionRecord({ messages });
      await completions.append({ completion, messages: kept });
      for (const order of ['asc', 'desc'] as const) {
        const expected = order === 'asc' ? kept : kept.toReversed();
        expect(await completions.messages(completion.id, { limit: 5, order })).toEqual({
          items: expected,
          hasMore: false,
        });
        const first = await completions.messages(completion.id, { limit: 2, order });
        expect(first).toEqual({ items: expected.slice(0, 2), hasMore: true });
        const after = first?.items.at(-1)?.id;
        const second = await completions.messages(completion.id, { limit: 2, order, after });
        expect(second).toEqual({ items: expected.slice(2, 4), hasMore: true });
        const last = await completions.messages(completion.id, { limit: 2, order, after: second?.items.at(-1)?.id });
        expect(last).toEqual({ items: expected.slice(4), hasMore: false });
        const behind = await completions.messages(completion.id, { limit: 2, order, after: last?.items.at(-1)?.id });
        expect(behind).toEqual({ items: [], hasMore: false });
      }
    });

    test('are undefined after an unknown message', async () => {
      const { completions } = project();
      const { completion, messages: kept } = completionRecord({ messages });
      await completions.append({ completion, messages: kept });
      const query = { limit: 2, order: 'asc', after: `${completion.id}-9` } as const;
      expect(await completions.messages(completion.id, query)).toBeUndefined();
    });
  });
}
