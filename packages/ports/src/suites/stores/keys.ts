import { describe, expect, test } from 'vitest';
import type { KeyRecord } from '../../key-store.ts';
import { keyRoles } from '../../key-store.ts';
import { hostileTexts } from './completions.ts';
import { opened } from './opened.ts';
import type { StoresUnderTest } from './opened.ts';

let made = 0;

export function keyRecord(init: Partial<KeyRecord> = {}): KeyRecord {
  const number = ++made;
  return {
    id: `key_${number}`,
    hash: number.toString(16).padStart(64, '0'),
    project: 'default',
    role: 'full',
    name: 'for the suite',
    hint: 'mw-abc',
    created: 1_700_000_000,
    expires: null,
    revoked: null,
    requestsPerMinute: null,
    tokensPerMinute: null,
    ...init,
  };
}

export function describeKeys(open: () => Promise<StoresUnderTest>): void {
  describe('keys', () => {
    const { stores } = opened(open);

    test('are found by their hash as they were stored, and listed in the order they were added', async () => {
      const keys = [
        ...keyRoles.map((role) => keyRecord({ role, project: 'a', created: 1_800_000_000 - made })),
        keyRecord({ project: 'b', expires: 1_900_000_000, requestsPerMinute: 60, tokensPerMinute: 1_000_000 }),
        keyRecord({ project: 'a', revoked: 1_750_000_000, requestsPerMinute: 0.5 }),
      ];
      for (const key of keys) await stores().keys.add(key);
      for (const key of keys) expect(await stores().keys.findByHash(key.hash)).toEqual({ key, project: undefined });
      expect(await stores().keys.list()).toEqual(keys);
      expect(await stores().keys.list('a')).toEqual(keys.filter(({ project }) => project === 'a'));
      expect(await stores().keys.list('c')).toEqual([]);
      expect(await stores().keys.findByHash('0'.repeat(64))).toBeUndefined();
    });

    test('keep every text unchanged', async () => {
      for (const text of hostileTexts) {
        const key = keyRecord({ id: `id ${text}`, project: `of ${text}`, name: text, hint: text });
        const project = { id: `of ${text}`, requestsPerMinute: 1, tokensPerMinute: null };
        await stores().keys.add(key);
        await stores().keys.setProject(project);
        expect(await stores().keys.findByHash(key.hash)).toEqual({ key, project });
        expect(await stores().keys.list(`of ${text}`)).toEqual([key]);
        expect(await stores().keys.findByHash(text)).toBeUndefined();
      }
    });

    test('are rejected when the id or the hash exists; nothing changes', async () => {
      const key = keyRecord({ project: 'd' });
      await stores().keys.add(key);
      await expect(stores().keys.add(keyRecord({ id: key.id, project: 'd' }))).rejects.toThrow();
      await expect(stores().keys.add(keyRecord({ hash: key.hash, project: 'd' }))).rejects.toThrow();
      expect(await stores().keys.list('d')).toEqual([key]);
    });

    test('that were revoked show it in every call, with the time of the first revocation', async () => {
      const key = keyRecord({ project: 'e' });
      await stores().keys.add(key);
      await stores().keys.add(keyRecord({ project: 'e' }));
      const revoked = { ...key, revoked: 1_760_000_000 };
      expect(await stores().keys.revoke(key.id, 1_760_000_000)).toEqual(revoked);
      expect(await stores().keys.revoke(key.id, 1_770_000_000)).toEqual(revoked);
      expect((await stores().keys.findByHash(key.hash))?.key).toEqual(revoked);
      const listed = await stores().keys.list('e');
      expect(listed.map((one) => one.revoked)).toEqual([1_760_000_000, null]);
      expect(await stores().keys.revoke('key_none', 1)).toBeUndefined();
    });

    test('have the current limits of their project', async () => {
      const key = keyRecord({ project: 'f' });
      await stores().keys.add(key);
      const found = async () => (await stores().keys.findByHash(key.hash))?.project;
      expect(await found()).toBeUndefined();
      await stores().keys.setProject({ id: 'f', requestsPerMinute: 10, tokensPerMinute: null });
      await stores().keys.setProject({ id: 'g', requestsPerMinute: 99, tokensPerMinute: 99 });
      expect(await found()).toEqual({ id: 'f', requestsPerMinute: 10, tokensPerMinute: null });
      await stores().keys.setProject({ id: 'f', requestsPerMinute: null, tokensPerMinute: 5000 });
      expect(await found()).toEqual({ id: 'f', requestsPerMinute: null, tokensPerMinute: 5000 });
    });
  });
}
