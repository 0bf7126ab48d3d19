import { describe, expect, test } from 'vitest';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { minute } from './work-records.ts';
import { appendAll } from './records.ts';

const now = 1_700_000_000_000;
const list = { limit: 100, order: 'asc' } as const;

export function describeExpiry(open: () => Promise<StoresUnderTest>): void {
  describe('removing what expired', () => {
    const { stores, project } = openStores(open);

    test('removes older completions of all projects, with everything that belongs to them', async () => {
      const [one, other] = [project().completions, project().completions];
      const [old = '', young = ''] = await appendAll(one, [
        { created: 99, metadata: { a: '1' } },
        { created: 100, metadata: { a: '1' } },
      ]);
      await appendAll(other, [{ created: 5 }]);
      expect(await stores().removeExpired({ completionsBefore: undefined, now, limit: 10 })).toBe(0);
      expect(await stores().removeExpired({ completionsBefore: 100, now, limit: 10 })).toBe(2);
      expect(await one.get(old)).toBeUndefined();
      expect(await one.messages(old, list)).toBeUndefined();
      expect((await one.list({ ...list, metadata: { a: '1' } }))?.items.map(({ id }) => id)).toEqual([young]);
      expect((await other.list(list))?.items).toEqual([]);
      expect(await stores().removeExpired({ completionsBefore: 100, now, limit: 10 })).toBe(0);
      await one.delete(young);
    });

    test('removes at most the limit of each kind, the oldest first', async () => {
      const { completions, idempotency } = project();
      await appendAll(
        completions,
        [3, 1, 5, 2, 4].map((created) => ({ created })),
      );
      for (const key of ['a', 'b', 'c']) await idempotency.claim({ key, token: 't', fingerprint: '', claimTtlMs: 0 });
      expect(await stores().removeExpired({ completionsBefore: 10, now, limit: 2 })).toBe(4);
      expect((await completions.list(list))?.items.map(({ created }) => created)).toEqual([3, 4, 5]);
      expect(await stores().removeExpired({ completionsBefore: 10, now, limit: 2 })).toBe(3);
      expect(await stores().removeExpired({ completionsBefore: 10, now, limit: 2 })).toBe(1);
    });

    test('removes idempotency keys that expired by the clock of the store, and keeps the others', async () => {
      const { idempotency } = project();
      const response = { status: 200, contentType: 'a/b', body: '' };
      const of = (key: string) => ({ key, token: 't', fingerprint: 'f', claimTtlMs: 0 });
      for (const key of ['left', 'old', 'kept']) await idempotency.claim(of(key));
      await idempotency.finish(of('old'), response, 0);
      await idempotency.finish(of('kept'), response, minute);
      await idempotency.claim({ ...of('running'), claimTtlMs: minute });
      expect(await stores().removeExpired({ completionsBefore: undefined, now, limit: 10 })).toBe(2);
      const again = (key: string) => idempotency.claim({ ...of(key), claimTtlMs: minute });
      expect(await again('left')).toEqual({ state: 'acquired' });
      expect(await again('old')).toEqual({ state: 'acquired' });
      expect(await again('kept')).toEqual({ state: 'completed', response });
      expect(await again('running')).toEqual({ state: 'in_progress' });
    });
  });
}
