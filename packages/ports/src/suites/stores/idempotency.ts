import { describe, expect, test } from 'vitest';
import { hostileTexts } from './completions.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { minute } from './work-records.ts';

const claim = (key: string, init: { token?: string; fingerprint?: string; claimTtlMs?: number } = {}) => ({
  key,
  token: 'first',
  fingerprint: 'one',
  claimTtlMs: minute,
  ...init,
});
const response = { status: 200, contentType: 'application/json', body: '{"id":"1"}' };

export function describeIdempotency(open: () => Promise<StoresUnderTest>): void {
  describe('an idempotency key', () => {
    const { stores, project } = openStores(open);

    test('is claimed by exactly one of a hundred concurrent callers', async () => {
      const { idempotency } = project();
      for (const key of ['a', 'b', 'c']) {
        const claims = await Promise.all(Array.from({ length: 100 }, () => idempotency.claim(claim(key))));
        expect(claims.filter(({ state }) => state === 'acquired')).toHaveLength(1);
        expect(claims.filter(({ state }) => state === 'in_progress')).toHaveLength(99);
      }
    });

    test('returns the cached response unchanged', async () => {
      const { idempotency } = project();
      for (const [index, text] of [...hostileTexts, '', '{"a":"\\u0000"}', 'x'.repeat(1_000_000)].entries()) {
        const key = `key ${index}`;
        const response = { status: 201, contentType: `text/${text.slice(0, 20)}`, body: text };
        expect(await idempotency.claim(claim(key))).toEqual({ state: 'acquired' });
        await idempotency.finish(claim(key), response, minute);
        expect(await idempotency.claim(claim(key))).toEqual({ state: 'completed', response });
      }
    });

    test('used for a different request is reported, while the request runs and afterwards', async () => {
      const { idempotency } = project();
      await idempotency.claim(claim('k'));
      expect(await idempotency.claim(claim('k', { fingerprint: 'two' }))).toEqual({ state: 'key_reused' });
      await idempotency.finish(claim('k'), response, minute);
      expect(await idempotency.claim(claim('k', { fingerprint: 'two' }))).toEqual({ state: 'key_reused' });
      expect(await idempotency.claim(claim('k'))).toEqual({ state: 'completed', response });
    });

    test('can be taken over by exactly one caller after its expiry', async () => {
      const { idempotency } = project();
      await idempotency.claim(claim('k'));
      expect(await idempotency.claim(claim('k'))).toEqual({ state: 'in_progress' });
      expect(await idempotency.renew(claim('k'), 0)).toBe(true);
      const claims = await Promise.all(Array.from({ length: 20 }, () => idempotency.claim(claim('k'))));
      expect(claims.filter(({ state }) => state === 'acquired')).toHaveLength(1);
      expect(claims.filter(({ state }) => state === 'in_progress')).toHaveLength(19);
    });

    test('is free again when its response has expired', async () => {
      const { idempotency } = project();
      await idempotency.claim(claim('k'));
      await idempotency.finish(claim('k'), response, 0);
      const next = claim('k', { fingerprint: 'two' });
      expect(await idempotency.claim(next)).toEqual({ state: 'acquired' });
      expect(await idempotency.claim(next)).toEqual({ state: 'in_progress' });
    });

    test('is free again when it was released, but not when it has a response', async () => {
      const { idempotency } = project();
      await idempotency.claim(claim('k'));
      await idempotency.release(claim('k'));
      expect(await idempotency.claim(claim('k', { fingerprint: 'two' }))).toEqual({ state: 'acquired' });
      await idempotency.finish(claim('k'), response, minute);
      await idempotency.release(claim('k'));
      await idempotency.release(claim('never claimed'));
      expect(await idempotency.claim(claim('k', { fingerprint: 'two' }))).toEqual({
        state: 'completed',
        response,
      });
    });

    test('is held longer when its claim is renewed, until it has a response', async () => {
      const { idempotency } = project();
      await idempotency.claim(claim('k', { claimTtlMs: 0 }));
      // No other request has claimed it: the claim is still valid.
      expect(await idempotency.renew(claim('k'), minute)).toBe(true);
      expect(await idempotency.claim(claim('k'))).toEqual({ state: 'in_progress' });
      expect(await idempotency.finish(claim('k'), response, minute)).toBe(true);
      expect(await idempotency.renew(claim('k'), 0)).toBe(false);
      expect(await idempotency.claim(claim('k'))).toEqual({ state: 'completed', response });
    });

    test('that was taken over cannot be renewed, completed or released by its previous holder', async () => {
      const { idempotency } = project();
      await idempotency.claim(claim('k', { claimTtlMs: 0 }));
      const second = claim('k', { token: 'second', fingerprint: 'two' });
      expect(await idempotency.claim(second)).toEqual({ state: 'acquired' });
      expect(await idempotency.renew(claim('k'), minute)).toBe(false);
      expect(await idempotency.finish(claim('k'), { ...response, body: 'of the first' }, minute)).toBe(false);
      await idempotency.release(claim('k'));
      expect(await idempotency.claim({ ...second, token: 'third' })).toEqual({ state: 'in_progress' });
      expect(await idempotency.finish(second, response, minute)).toBe(true);
      expect(await idempotency.finish(second, { ...response, body: 'again' }, minute)).toBe(false);
      expect(await idempotency.claim(second)).toEqual({ state: 'completed', response });
    });

    test('is separate for each project and each text', async () => {
      const projects = [project(), project(), ...hostileTexts.map((text) => stores().project(`of ${text}`))];
      for (const { idempotency } of projects) {
        for (const key of [...hostileTexts, 'k'.repeat(10_000), '']) {
          expect(await idempotency.claim(claim(key))).toEqual({ state: 'acquired' });
        }
      }
    });
  });
}
