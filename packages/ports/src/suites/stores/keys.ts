import { describe, expect, test } from 'vitest';
import type { KeyRecord, ProjectRecord } from '../../key-store.ts';
import { keyRoles, noAccessLimits } from '../../key-store.ts';
import { hostileTexts } from './completions.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { completionRecord } from './records.ts';
import { assistantMessage, storedResponse, storeTurn } from './response-records.ts';
import { fileRecord, reservedSegments } from './work-records.ts';

let recordCount = 0;

export function keyRecord(init: Partial<KeyRecord> = {}): KeyRecord {
  const number = ++recordCount;
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
    lastUsed: null,
    ...noAccessLimits,
    ...init,
  };
}

export function projectRecord(init: Partial<ProjectRecord> = {}): ProjectRecord {
  return {
    id: 'default',
    name: 'for the suite',
    created: 1_700_000_000,
    archived: null,
    ...noAccessLimits,
    storageLimitBytes: null,
    ...init,
  };
}

export function describeKeys(open: () => Promise<StoresUnderTest>): void {
  describe('keys', () => {
    const { stores } = openStores(open);

    test('are found by their hash as they were stored, and listed in the order they were added', async () => {
      const keys = [
        ...keyRoles.map((role) => keyRecord({ role, project: 'a', created: 1_800_000_000 - recordCount })),
        keyRecord({ project: 'b', expires: 1_900_000_000, requestsPerMinute: 60, tokensPerMinute: 1_000_000 }),
        keyRecord({ project: 'a', revoked: 1_750_000_000, requestsPerMinute: 0.5 }),
      ];
      for (const key of keys) await stores().keys.add(key);
      for (const key of keys) {
        const found = await stores().keys.findByHash(key.hash);
        expect(found?.key).toEqual(key);
        expect(found?.project?.id).toBe(key.project);
        expect(await stores().keys.get(key.id)).toEqual(key);
      }
      expect(await stores().keys.get('key_none')).toBeUndefined();
      expect(await stores().keys.list()).toEqual(keys);
      expect(await stores().keys.list('a')).toEqual(keys.filter(({ project }) => project === 'a'));
      expect(await stores().keys.list('c')).toEqual([]);
      expect(await stores().keys.findByHash('0'.repeat(64))).toBeUndefined();
    });

    test('keep every text unchanged', async () => {
      for (const text of hostileTexts) {
        const key = keyRecord({ id: `id ${text}`, project: `of ${text}`, name: text, hint: text });
        const project = projectRecord({ id: `of ${text}`, name: `named ${text}`, allowedModels: [text] });
        expect(await stores().keys.addProject(project)).toBe(true);
        await stores().keys.add(key);
        expect(await stores().keys.findByHash(key.hash)).toEqual({ key, project });
        expect(await stores().keys.list(`of ${text}`)).toEqual([key]);
        expect(await stores().keys.findByHash(text)).toBeUndefined();
      }
    });

    test('are rejected when the ID or the hash exists; nothing changes', async () => {
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

    test('have the current limits of their project, which is stored with its first key', async () => {
      const key = keyRecord({ project: 'f', created: 1_720_000_000 });
      await stores().keys.add(key);
      const found = async () => (await stores().keys.findByHash(key.hash))?.project;
      const stored = projectRecord({ id: 'f', name: 'f', created: 1_720_000_000 });
      expect(await found()).toEqual(stored);
      await stores().keys.addProject(projectRecord({ id: 'g', requestsPerMinute: 99 }));
      expect(await stores().keys.updateProject('f', { requestsPerMinute: 10 })).toEqual({
        ...stored,
        requestsPerMinute: 10,
      });
      await stores().keys.updateProject('f', { requestsPerMinute: null, tokensPerMinute: 5000, name: 'F' });
      expect(await found()).toEqual({ ...stored, name: 'F', tokensPerMinute: 5000 });
    });

    test('change only the fields that are set', async () => {
      const key = keyRecord({ project: 'h', tokensPerMinute: 7 });
      await stores().keys.add(key);
      const changes = { name: 'new', role: 'admin', expires: 1_900_000_000, allowedModels: ['a', 'b'] } as const;
      const changed = { ...key, ...changes };
      expect(await stores().keys.update(key.id, changes)).toEqual(changed);
      expect(await stores().keys.update(key.id, {})).toEqual(changed);
      expect(await stores().keys.update(key.id, { expires: null, maxOutputTokens: 5 })).toEqual({
        ...changed,
        expires: null,
        maxOutputTokens: 5,
      });
      expect(await stores().keys.update('key_none', { name: 'x' })).toBeUndefined();
    });

    test('that were rotated are found by the new hash, and by the previous one with its end', async () => {
      const key = keyRecord({ project: 'i' });
      const [second, third] = ['second', 'third'].map((text) => `${text} ${key.id}`);
      await stores().keys.add(key);
      const init = { hint: 'mw-new', previousValidUntil: 1_800_000_000 };
      const rotated = { ...key, hash: second ?? '', hint: 'mw-new' };
      expect(await stores().keys.rotate(key.id, { ...init, hash: second ?? '' })).toEqual(rotated);
      expect(await stores().keys.findByHash(second ?? '')).toMatchObject({ key: rotated });
      expect((await stores().keys.findByHash(second ?? ''))?.validUntil).toBeUndefined();
      expect(await stores().keys.findByHash(key.hash)).toMatchObject({ key: rotated, validUntil: 1_800_000_000 });
      await stores().keys.rotate(key.id, { ...init, hash: third ?? '' });
      expect(await stores().keys.findByHash(key.hash)).toBeUndefined();
      expect(await stores().keys.findByHash(second ?? '')).toMatchObject({ validUntil: 1_800_000_000 });
      expect(await stores().keys.rotate('key_none', { ...init, hash: 'x' })).toBeUndefined();
    });

    test('are rotated once in a grace period, if asked, however many try', async () => {
      const key = keyRecord({ project: 'k' });
      await stores().keys.add(key);
      const rotate = (hash: string, unlessPreviousValidAt: number) =>
        stores().keys.rotate(key.id, {
          hash: `${hash} ${key.id}`,
          hint: 'mw-new',
          previousValidUntil: 2000,
          unlessPreviousValidAt,
        });
      const rotated = await Promise.all(['a', 'b', 'c'].map((hash) => rotate(hash, 1999)));
      expect(rotated.filter(Boolean)).toHaveLength(1);
      expect(await stores().keys.findByHash(key.hash)).toMatchObject({ validUntil: 2000 });
      expect(await rotate('d', 2000)).toMatchObject({ hash: `d ${key.id}` });
      expect(await stores().keys.findByHash(key.hash)).toBeUndefined();
    });

    test('have the time of their last use, whatever the order it is recorded in', async () => {
      const key = keyRecord({ project: 'j' });
      await stores().keys.add(key);
      await stores().keys.recordUse([
        { id: key.id, at: 1_800_000_000 },
        { id: 'key_none', at: 5 },
      ]);
      await stores().keys.recordUse([{ id: key.id, at: 1_700_000_000 }]);
      expect((await stores().keys.get(key.id))?.lastUsed).toBe(1_800_000_000);
    });
  });

  describe('projects', () => {
    const { stores } = openStores(open);

    test('are listed by ID, and an ID can be used only once', async () => {
      const [b, a] = [projectRecord({ id: 'b', storageLimitBytes: 5 }), projectRecord({ id: 'a', maxOutputTokens: 9 })];
      expect(await stores().keys.addProject(b)).toBe(true);
      expect(await stores().keys.addProject(a)).toBe(true);
      expect(await stores().keys.addProject(projectRecord({ id: 'a', name: 'another' }))).toBe(false);
      expect(await stores().keys.listProjects()).toEqual([a, b]);
      expect(await stores().keys.getProject('a')).toEqual(a);
      expect(await stores().keys.getProject('c')).toBeUndefined();
      expect(await stores().keys.updateProject('c', { name: 'x' })).toBeUndefined();
    });

    test('that were archived keep the time of the first', async () => {
      await stores().keys.addProject(projectRecord({ id: 'd' }));
      expect(await stores().keys.archiveProject('d', 5)).toMatchObject({ archived: 5 });
      expect(await stores().keys.archiveProject('d', 9)).toMatchObject({ archived: 5 });
      expect(await stores().keys.archiveProject('none', 9)).toBeUndefined();
    });

    test('have the bytes of their files and stored completions', async () => {
      const { completions, files } = stores().project('e');
      expect(await stores().keys.storageBytes('e')).toBe(0);
      await files.create(fileRecord({}, await reservedSegments(stores(), 2)));
      expect(await stores().keys.storageBytes('e')).toBe(201);
      const record = completionRecord();
      await completions.append(record);
      await stores().project('other').completions.append(completionRecord());
      expect(await stores().keys.storageBytes('e')).toBeGreaterThan(201 + JSON.stringify(record.messages).length);
      await completions.delete(record.completion.id);
      expect(await stores().keys.storageBytes('e')).toBe(201);
    });

    test('have the bytes of stored responses with their items, also of those that ran in the background', async () => {
      const storageBytes = () => stores().keys.storageBytes('g');
      const { responses } = stores().project('g');
      await storeTurn(stores().project('other').responses);
      const { response, input } = await storeTurn(responses, { output: [assistantMessage('msg_g', '\u20ac')] });
      const bytesOf = (...parts: readonly unknown[]) =>
        parts.reduce((sum: number, part) => sum + new TextEncoder().encode(JSON.stringify(part)).length, 0);
      const all = bytesOf({ ...response, output: [] }, ...input, ...response.output);
      expect(await storageBytes()).toBe(all);

      const queued = storedResponse({ id: 'resp_g', status: 'queued', output: [] });
      const work = { keyId: 'key_g', request: '{}' };
      await responses.create({ response: queued, isStreamed: false, work, input });
      expect(await storageBytes()).toBe(all + bytesOf(queued, ...input));
      const lease = await stores().jobs.claim({ kinds: ['response'], leaseMs: 1_000_000 });
      if (!lease) throw new Error('the job of the response was not due');
      const running = { ...queued, status: 'in_progress', metadata: { long: '\u20ac'.repeat(9) } } as const;
      await responses.update(running, { lease });
      expect(await storageBytes()).toBe(all + bytesOf(running, ...input));
      const ended = { ...running, status: 'completed', output: [assistantMessage('msg_h', '\u20ac')] } as const;
      await responses.end(ended, { lease });
      expect(await storageBytes()).toBe(all + bytesOf({ ...ended, output: [] }, ...input, ...ended.output));
      await responses.delete(queued.id);
      await responses.delete(response.id);
      expect(await storageBytes()).toBe(0);
    });
  });
}
