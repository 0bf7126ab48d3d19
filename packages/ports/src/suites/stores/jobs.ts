import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JobKind, JobStore, Lease } from '../../job-store.ts';
import { hostileTexts } from './completions.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { batchRecord, seconds, claimAllJobs, videoRecord } from './work-records.ts';

const kinds: readonly JobKind[] = ['batch', 'video'];

export function describeJobs(open: () => Promise<StoresUnderTest>): void {
  describe('a job', () => {
    const { stores, project } = openStores(open);
    beforeEach(() => claimAllJobs(stores()));

    const claim = (init: Partial<Parameters<JobStore['claim']>[0]> = {}) =>
      stores().jobs.claim({ kinds, leaseMs: 60_000, ...init });
    async function claimDue(init: Parameters<typeof claim>[0] = {}): Promise<Lease> {
      const lease = await claim(init);
      if (!lease) throw new Error('no job is due');
      return lease;
    }
    async function newBatch(window = 24): Promise<string> {
      const record = batchOf(window);
      await project().batches.create(record);
      return record.batch.id;
    }

    /** With a window of so many hours. */
    const batchOf = (window: number) => batchRecord({ expires_at: seconds + window * 3600 });

    test('is created with its batch or video, due immediately, and has its project', async () => {
      const names = [...hostileTexts.map((text) => `of ${text}`), 'plain'];
      for (const name of names) {
        const { batches, videos } = stores().project(name);
        const [batch, video] = [batchRecord({ id: `batch ${name}` }), videoRecord({ id: `video ${name}` })];
        await batches.create(batch);
        await videos.create(video);
        const leases = [await claimDue({ kinds: ['batch'] }), await claimDue({ kinds: ['video'] })];
        const fresh = { project: name, attempt: 1, crashes: 0, notes: undefined };
        expect(leases).toEqual([
          { ...fresh, id: batch.batch.id, kind: 'batch', token: leases[0]?.token },
          { ...fresh, id: video.video.id, kind: 'video', token: leases[1]?.token },
        ]);
        expect(await claim()).toBeUndefined();
      }
    });

    test('counts in the backlog of its kind, as waiting until it is claimed', async () => {
      const backlogOf = async (kind: JobKind) => {
        const found = (await stores().jobs.backlog()).find((some) => some.kind === kind);
        return { waiting: found?.waiting ?? 0, running: found?.running ?? 0 };
      };
      const before = await backlogOf('video');
      expect(before.waiting).toBe(0);
      await project().videos.create(videoRecord());
      await newBatch();
      expect(await backlogOf('video')).toEqual({ waiting: 1, running: before.running });
      await claimDue({ kinds: ['video'] });
      expect(await backlogOf('video')).toEqual({ waiting: 0, running: before.running + 1 });
      expect(await backlogOf('batch')).toMatchObject({ waiting: 1 });
    });

    test('is due by the clock of the store, regardless of its record', async () => {
      const future = batchRecord({ created_at: 2 * seconds });
      await project().batches.create(future);
      expect(await claimDue()).toMatchObject({ id: future.batch.id });
    });

    test('is claimed by workers of its kind', async () => {
      const batch = await newBatch();
      expect(await claim({ kinds: ['video'] })).toBeUndefined();
      expect(await claim({ kinds: [] })).toBeUndefined();
      expect(await claimDue({ kinds: ['video', 'batch'] })).toMatchObject({ id: batch });
    });

    test('of an excluded project is left to other workers', async () => {
      const names = [...hostileTexts.map((text) => `excluded ${text}`), 'plain'];
      const ids = names.map((name) => `batch of ${name}`);
      for (const [index, name] of names.entries())
        await stores()
          .project(name)
          .batches.create(batchRecord({ id: ids[index] ?? '' }));
      expect(await claim({ except: names })).toBeUndefined();
      // All but one of them.
      for (const [index, name] of [...names.entries()].toReversed())
        expect(await claimDue({ except: names.filter((one) => one !== name) })).toMatchObject({ id: ids[index] });
    });

    test('is claimed past any number of jobs of excluded projects, those that have been due longest first', async () => {
      const busy = ['busy', 'busy too'];
      for (let index = 0; index < 130; index++) {
        await stores()
          .project(busy[index % 2] ?? '')
          .batches.create(batchRecord());
      }
      const others = ['zebra', 'ape', 'zebra'].map((name) => ({ name, record: batchRecord() }));
      for (const { name, record } of others) {
        await stores().project(name).batches.create(record);
        // Ensures that no two are due in the same millisecond.
        await setTimeout(5);
      }
      const claims = () => claim({ kinds: ['batch'], except: busy });
      expect([await claims(), await claims()]).toMatchObject(
        others.slice(0, 2).map(({ name, record }) => ({ id: record.batch.id, project: name })),
      );
      await newBatch();
      const leases = await Promise.all(Array.from({ length: 6 }, claims));
      const projects = leases.flatMap((lease) => (lease ? [lease.project] : []));
      expect(projects).toHaveLength(2);
      expect(new Set(projects).size).toBe(2);
      expect(projects).not.toContain('busy');
      expect(await claimDue({ kinds: ['batch'], except: ['busy too'] })).toMatchObject({ project: 'busy' });
      await claimAllJobs(stores());
    });

    test('that has not been started for a time is claimed by workers that request only such jobs', async () => {
      const [released, fresh] = [await newBatch(168), await newBatch(168)];
      const lease = await claimDue();
      expect(lease.id).toBe(released);
      await stores().jobs.release(lease);
      expect(await claim({ due: { minWaitingMs: 60_000 } })).toBeUndefined();
      expect(await claimDue({ due: { minWaitingMs: 0 } })).toMatchObject({ id: fresh });
      expect(await claim({ due: { minWaitingMs: 0 } })).toBeUndefined();
      expect(await claimDue()).toMatchObject({ id: released });
    });

    test('of the batch that expires first is claimed first, and is as old as its batch', async () => {
      const [day, week, hour, twoHours] = [
        await newBatch(24),
        await newBatch(168),
        await newBatch(1),
        await newBatch(2),
      ];
      const backlog = await stores().jobs.backlog();
      expect(backlog.find(({ kind }) => kind === 'batch')?.oldestWaitingMs).toBeLessThan(60_000);
      expect((await claimDue({ due: { minWaitingMs: 166.5 * 3_600_000 } })).id).toBe(hour);
      expect([(await claimDue()).id, (await claimDue()).id, (await claimDue()).id]).toEqual([twoHours, day, week]);
    });

    test('that has been due longest is claimed first, after released jobs', async () => {
      const ids = [await newBatch(), await newBatch(), await newBatch()];
      const [first, second] = [await claimDue(), await claimDue()];
      await stores().jobs.release(first, { afterMs: 20 });
      await stores().jobs.release(second);
      expect([(await claimDue()).id, (await claimDue()).id]).toEqual([second.id, ids[2]]);
      await expect.poll(async () => (await claim())?.id).toBe(first.id);
      expect(await claim()).toBeUndefined();
    });

    test('of a batch with an urgent change is claimed before all others, and by workers that request only urgent jobs', async () => {
      const { batches } = project();
      const [leased, waiting] = [batchRecord(), batchRecord()];
      await batches.create(leased);
      const lease = await claimDue();
      const other = await newBatch();
      await batches.create(waiting);
      expect(await batches.replace(waiting.batch, { version: 2, isUrgent: true })).toBe(false);
      expect(await claim({ due: 'urgent' })).toBeUndefined();
      for (const { batch } of [leased, waiting]) {
        expect(await batches.replace(batch, { version: 1, isUrgent: true })).toBe(true);
      }
      // A held job is not claimed again.
      expect(await claimDue({ due: 'urgent' })).toMatchObject({ id: waiting.batch.id });
      expect(await claim({ due: 'urgent' })).toBeUndefined();
      expect(await stores().jobs.renew(lease, 60_000)).toBe(true);
      expect(await claimDue()).toMatchObject({ id: other });
    });

    test('is not claimed by others until its lease has expired, and then by exactly one', async () => {
      const batch = await newBatch();
      const first = await claimDue();
      expect(await claim()).toBeUndefined();
      await stores().jobs.renew(first, 0);
      const leases = (await Promise.all(Array.from({ length: 20 }, () => claim()))).filter((one) => one);
      expect(leases).toHaveLength(1);
      expect(leases[0]).toMatchObject({ id: batch, attempt: 2 });
      expect(leases[0]?.token).not.toBe(first.token);
    });

    test('is claimed once by many concurrent callers, each of which gets another', async () => {
      const batches = await Promise.all(Array.from({ length: 20 }, () => newBatch()));
      const leases = await Promise.all(Array.from({ length: 30 }, () => claim()));
      const ids = leases.flatMap((lease) => (lease ? [lease.id] : []));
      expect(new Set(ids).size).toBe(ids.length);
      // A claim that found no job while others were claiming may be repeated.
      for (let lease = await claim(); lease; lease = await claim()) ids.push(lease.id);
      expect(ids.toSorted()).toEqual(batches.toSorted());
      expect(new Set(leases.map((lease) => lease?.token)).size).toBeGreaterThanOrEqual(20);
    });

    test('is held longer when its lease is renewed', async () => {
      await newBatch();
      const lease = await claimDue({ leaseMs: 0 });
      expect(await stores().jobs.renew(lease, 60_000)).toBe(true);
      expect(await claim()).toBeUndefined();
      // No other worker has claimed it: the lease is still valid.
      expect(await stores().jobs.renew(lease, 0)).toBe(true);
      expect(await stores().jobs.renew(lease, 0)).toBe(true);
      expect(await claimDue()).toMatchObject({ id: lease.id });
    });

    test('that was released is claimed from its due time on, and counts its attempts', async () => {
      await newBatch();
      const first = await claimDue();
      expect(await stores().jobs.release(first, { afterMs: 60_000 })).toBe(true);
      expect(await claim()).toBeUndefined();
      await newBatch();
      const lease = await claimDue();
      expect(await stores().jobs.release(lease, { afterMs: 0 })).toBe(true);
      const second = await claimDue();
      expect(second).toMatchObject({ id: lease.id, attempt: 2, crashes: 0 });
      expect(second.token).not.toBe(lease.token);
    });

    test('that was released unstarted does not count as an attempt', async () => {
      await newBatch();
      const first = await claimDue();
      expect(await stores().jobs.release(first, { afterMs: 0, skipAttempt: true })).toBe(true);
      expect(await stores().jobs.release(first, { afterMs: 0, skipAttempt: true })).toBe(false);
      expect(await claimDue()).toMatchObject({ id: first.id, attempt: 1 });
    });

    test('counts the leases that expired while it was held, and not released ones', async () => {
      const { jobs } = stores();
      await newBatch();
      await claimDue({ leaseMs: 0 });
      const second = await claimDue();
      expect(second).toMatchObject({ attempt: 2, crashes: 1 });
      await jobs.release(second);
      const third = await claimDue({ leaseMs: 0 });
      expect(third).toMatchObject({ attempt: 3, crashes: 1 });
      expect(await claimDue()).toMatchObject({ attempt: 4, crashes: 2 });
    });

    test('does not count an expired lease when the claimer says so, for example after an outage', async () => {
      await newBatch();
      await claimDue({ leaseMs: 0 });
      expect(await claimDue({ leaseMs: 0, countCrash: false })).toMatchObject({ attempt: 2, crashes: 0 });
      expect(await claimDue({ leaseMs: 0 })).toMatchObject({ attempt: 3, crashes: 1 });
      expect(await claimDue({ countCrash: false })).toMatchObject({ attempt: 4, crashes: 1 });
    });

    test('is due immediately when a claim with unknown outcome is cancelled, and does not count as an attempt', async () => {
      const { jobs } = stores();
      await newBatch();
      const token = 'token of a claim without a response';
      const lease = await claimDue({ token });
      expect(lease.token).toBe(token);
      expect(await jobs.cancelClaim('token of another claim')).toBe(false);
      expect(await jobs.cancelClaim(token)).toBe(true);
      expect(await jobs.cancelClaim(token)).toBe(false);
      expect(await jobs.renew(lease, 60_000)).toBe(false);
      expect(await claimDue()).toMatchObject({ id: lease.id, attempt: 1, crashes: 0 });
    });

    test('keeps its notes, which reset the count of crashes', async () => {
      const { jobs } = stores();
      await newBatch();
      await claimDue({ leaseMs: 0 });
      let lease = await claimDue({ leaseMs: 0 });
      expect(lease).toMatchObject({ crashes: 1, notes: undefined });
      for (const text of hostileTexts) {
        expect(await jobs.note(lease, text)).toBe(true);
        const next = await claimDue({ leaseMs: 0 });
        expect(next).toMatchObject({ crashes: 1, notes: text });
        expect(await jobs.note(lease, 'of a worker that lost the lease')).toBe(false);
        lease = next;
      }
      expect(await jobs.note({ ...lease, project: 'other' }, 'x')).toBe(false);
      expect(await claimDue()).toMatchObject({ notes: hostileTexts.at(-1), crashes: 2 });
    });

    test('that was lost can neither be renewed nor released', async () => {
      const { jobs } = stores();
      await newBatch();
      const lost = await claimDue({ leaseMs: 0 });
      const lease = await claimDue();
      for (const one of [lost, { ...lease, token: '' }, { ...lease, kind: 'video' as const }, { ...lease, id: 'x' }]) {
        expect(await jobs.renew(one, 0)).toBe(false);
        expect(await jobs.release(one)).toBe(false);
      }
      expect(await jobs.renew({ ...lease, project: 'other' }, 0)).toBe(false);
      expect(await claim()).toBeUndefined();
      expect(await jobs.release(lease)).toBe(true);
      expect(await jobs.release(lease)).toBe(false);
      expect(await jobs.renew(lease, 60_000)).toBe(false);
    });

    test('is renewed or taken over when both happen concurrently', async () => {
      const { jobs } = stores();
      await newBatch();
      let lease = await claimDue({ leaseMs: 0 });
      for (let round = 0; round < 10; round++) {
        const [renewed, taken] = await Promise.all([jobs.renew(lease, 60_000), claim()] as const);
        // A claim also skips a row that is being renewed.
        expect(renewed).toBe(await jobs.renew(lease, 0));
        if (taken) expect(await jobs.renew(taken, 0)).toBe(!renewed);
        else expect(renewed).toBe(true);
        lease = renewed ? lease : (taken ?? lease);
      }
    });
  });
}
