import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../audit-store.ts';
import type { SessionRecord } from '../../session-store.ts';
import type { Stores } from '../../stores.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';

let created = 0;

function sessionRecord(init: Partial<SessionRecord> = {}): SessionRecord {
  const number = ++created;
  return {
    hash: number.toString(16).padStart(64, '0'),
    kind: 'session',
    keyHash: 'a'.repeat(64),
    person: null,
    created: 1_700_000_000,
    expires: 1_700_043_200,
    ...init,
  };
}

function sessionsOf({ sessions }: Stores) {
  if (!sessions) throw new Error('these stores have no sessions');
  return sessions;
}

export function describeSessions(open: () => Promise<StoresUnderTest>): void {
  describe('console sessions', () => {
    const { stores, reopen } = openStores(open);
    const sessions = () => sessionsOf(stores());

    test('are found by their hash as they were stored, also after a restart', async () => {
      const person = {
        id: 'user_1',
        name: 'Zoë “Z” <z@example.com>\u0000',
        groups: ['staff', 'a, b'],
        source: '["https://a.example"]',
      };
      const records = [
        sessionRecord(),
        sessionRecord({ kind: 'code', keyHash: 'b'.repeat(64), expires: 1 }),
        sessionRecord({ keyHash: null, person }),
      ];
      for (const record of records) await sessions().add(record);
      for (const record of records) expect(await sessions().find(record.hash)).toEqual(record);
      await reopen();
      for (const record of records) expect(await sessions().find(record.hash)).toEqual(record);
      expect(await sessions().find("' or 1=1 --")).toBeUndefined();
    });

    test('are added with an entry in the audit log; when the hash exists, neither is', async () => {
      const record = sessionRecord();
      const audit: AuditEntry = {
        id: `audit_log-session-${record.hash}`,
        type: 'login.succeeded',
        at: 1,
        actor: 'user_1',
        actorName: 'Zoë',
        project: 'p',
        resource: 'user_1',
        changes: {},
      };
      await sessions().add(record, audit);
      const again = sessions().add({ ...record, keyHash: 'c'.repeat(64) }, { ...audit, id: `${audit.id}-2` });
      await expect(again).rejects.toThrow();
      expect(await sessions().find(record.hash)).toEqual(record);
      const logged = await stores().audit.list({ limit: 10, actors: ['user_1'], resources: ['user_1'] });
      expect(logged?.items).toEqual([audit]);
    });

    test('are extended; an unknown one is not created by it', async () => {
      const record = sessionRecord();
      await sessions().add(record);
      await sessions().extend(record.hash, 1_800_000_000);
      expect(await sessions().find(record.hash)).toEqual({ ...record, expires: 1_800_000_000 });
      await sessions().extend('f'.repeat(64), 1_800_000_000);
      expect(await sessions().find('f'.repeat(64))).toBeUndefined();
    });

    test('are consumed by exactly one of many concurrent callers', async () => {
      const record = sessionRecord({ kind: 'code' });
      await sessions().add(record);
      const consumed = await Promise.all(Array.from({ length: 20 }, () => sessions().consume(record.hash)));
      expect(consumed.filter((one) => one !== undefined)).toEqual([record]);
      expect(await sessions().find(record.hash)).toBeUndefined();
    });

    test('are removed when they have expired, the oldest first', async () => {
      const expires = [300, 100, 200];
      const records = expires.map((at) => sessionRecord({ expires: at }));
      const valid = sessionRecord({ expires: 301 });
      for (const record of [...records, valid]) await sessions().add(record);
      const remaining = async () =>
        (await Promise.all([...records, valid].map(({ hash }) => sessions().find(hash)))).map((one) => one?.expires);
      await stores().removeExpired({ completionsBefore: undefined, now: 99_000, limit: 10 });
      expect(await remaining()).toEqual([300, 100, 200, 301]);
      await stores().removeExpired({ completionsBefore: undefined, now: 300_000, limit: 2 });
      expect(await remaining()).toEqual([300, undefined, undefined, 301]);
      await stores().removeExpired({ completionsBefore: undefined, now: 300_000, limit: 2 });
      expect(await remaining()).toEqual([undefined, undefined, undefined, 301]);
    });
  });
}
