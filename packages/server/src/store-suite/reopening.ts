import { describe, expect, test } from 'vitest';
import { keyRecord } from './keys.ts';
import { opened } from './opened.ts';
import type { StoresUnderTest } from './opened.ts';
import { completionRecord } from './records.ts';

export function describeReopening(open: () => Promise<StoresUnderTest>): void {
  describe('a store that was closed', () => {
    const { stores, reopen } = opened(open);

    test('has everything when it is opened again, also what was asked for just before', async () => {
      const project = 'lasting';
      const record = completionRecord({ metadata: { a: '1' } });
      const { id } = record.completion;
      const key = keyRecord({ project });
      const limits = { id: project, requestsPerMinute: 5, tokensPerMinute: null };
      const used = {
        day: 0,
        project,
        keyId: key.id,
        model: 'm',
        requests: 1,
        inputTokens: 2,
        outputTokens: 3,
        cachedTokens: 0,
      };
      const claim = { key: 'k', fingerprint: 'f', now: 1, until: 100 };
      const before = stores();
      await before.project(project).completions.append(record);
      const last = Promise.all([
        before.project(project).completions.setMetadata(id, { b: '2' }),
        before.keys.add(key),
        before.keys.setProject(limits),
        before.usage.add([used]),
        before.project(project).idempotency.claim(claim),
      ]);
      await Promise.all([reopen(), last]);

      const { completions, idempotency } = stores().project(project);
      expect(await completions.get(id)).toEqual({ ...record.completion, metadata: { b: '2' } });
      expect((await completions.list({ limit: 1, order: 'asc', metadata: { b: '2' } }))?.items).toHaveLength(1);
      expect((await completions.messages(id, { limit: 5, order: 'asc' }))?.items).toEqual(record.messages);
      expect(await stores().keys.findByHash(key.hash)).toEqual({ key, project: limits });
      expect(await stores().usage.read({ from: 0, to: 1 })).toEqual([used]);
      expect(await idempotency.claim(claim)).toEqual({ state: 'running' });
    });

    test('rejects what is asked for afterwards, and may be closed twice', async () => {
      const before = stores();
      await before.check();
      await reopen();
      await before.close();
      await expect(before.check()).rejects.toThrow();
      await expect(before.project('p').completions.append(completionRecord())).rejects.toThrow();
      await expect(before.project('p').completions.list({ limit: 1, order: 'asc' })).rejects.toThrow();
      await stores().check();
    });
  });
}
