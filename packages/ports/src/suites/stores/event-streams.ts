import { describe, expect, test } from 'vitest';
import type { EventSegment, EventStreamStore, StreamFailure } from '../../event-stream-store.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { minute } from './work-records.ts';

const times = { leaseMs: minute, keepMs: minute };
/** Of a writer that was killed. */
const lost = { ...times, leaseMs: 0 };
const all = { after: -1, limit: 9 };
const segment = (first: number, ...events: string[]): EventSegment => ({ first, events });
const claimOf = (key: string, token: string, stream: string) => ({
  key,
  token,
  fingerprint: 'one',
  claimTtlMs: minute,
  stream: { ...times, id: stream },
});

export const streamFailure: StreamFailure = {
  status: 500,
  type: 'server_error',
  code: 'stream_interrupted',
  message: 'The server stopped: “é”.',
  param: null,
};

export function describeEventStreams(open: () => Promise<StoresUnderTest>): void {
  describe('a stream of events', () => {
    const { stores, project } = openStores(open);
    let streams = 0;
    const newId = () => `stream ${++streams}`;

    test('is read from any position, in whole segments, while it is written', async () => {
      const { eventStreams } = project();
      const id = newId();
      await eventStreams.create(id, times);
      const [first, second] = [segment(0, '{"a":"\\n€"}', '{}'), segment(2, '{"b":1}')];
      expect(await eventStreams.read(id, all)).toMatchObject({ status: 'open', segments: [], hasMore: false });
      expect(await eventStreams.append(id, first)).toBe(true);
      expect(await eventStreams.read(id, all)).toMatchObject({ status: 'open', segments: [first] });
      expect(await eventStreams.append(id, second)).toBe(true);
      expect(await eventStreams.read(id, { after: 0, limit: 9 })).toMatchObject({ segments: [first, second] });
      expect(await eventStreams.read(id, { after: 1, limit: 9 })).toMatchObject({ segments: [second], hasMore: false });
      expect(await eventStreams.read(id, { after: 2, limit: 9 })).toMatchObject({ segments: [] });
      expect(await eventStreams.read(id, { after: -1, limit: 1 })).toMatchObject({ segments: [first], hasMore: true });
    });

    test('has its segments in order, whatever their number, and each once', async () => {
      const { eventStreams } = project();
      const id = newId();
      await eventStreams.create(id, times);
      const segments = Array.from({ length: 30 }, (_, index) => segment(index * 2, `${index}`, '""'));
      for (const one of segments) await eventStreams.append(id, one);
      // The outcome of the first write was unknown.
      expect(await eventStreams.append(id, segment(4, '2', '""'))).toBe(true);
      expect((await eventStreams.read(id, { after: -1, limit: 99 }))?.segments).toEqual(segments);
    });

    test('has many events that are appended at once in segments of at most 64', async () => {
      const { eventStreams } = project();
      const id = newId();
      await eventStreams.create(id, times);
      const events = Array.from({ length: 150 }, (_, index) => `${index}`);
      await eventStreams.append(id, segment(0, ...events));
      const { segments = [] } = (await eventStreams.read(id, all)) ?? {};
      expect(segments.map(({ first, events: some }) => [first, some.length])).toEqual([
        [0, 64],
        [64, 64],
        [128, 22],
      ]);
      expect(segments.flatMap(({ events: some }) => some)).toEqual(events);
    });

    test.each<[string, string[]]>([
      ['a start', ['{"id":"one","text":"a"}', '{"id":"one","text":"b"}', '{"id":"one"}']],
      ['half of a surrogate pair', ['{"id":"😀"}', '{"id":"😁"}']],
      ['a long start', ['a', 'b'].map((end) => `"${'😀'.repeat(200)}${end}"`)],
      ['everything', ['{}', '{}']],
    ])('returns events that have %s in common unchanged', async (_, events) => {
      const { eventStreams } = project();
      const id = newId();
      await eventStreams.create(id, times);
      await eventStreams.append(id, segment(0, ...events));
      expect((await eventStreams.read(id, all))?.segments).toEqual([segment(0, ...events)]);
    });

    test('ends with its last events, once, and can be read until it was kept long enough', async () => {
      const { eventStreams } = project();
      const id = newId();
      await eventStreams.create(id, times);
      const last = segment(0, '1');
      expect(await eventStreams.end(id, { segment: last, keepMs: minute })).toBe(true);
      const ended = await eventStreams.read(id, all);
      expect(ended).toMatchObject({ status: 'ended', failure: undefined, segments: [last] });
      expect(ended?.endedMsAgo).toBeGreaterThanOrEqual(0);
      expect(await eventStreams.append(id, segment(1, '2'))).toBe(false);
      expect(await eventStreams.end(id, { failure: streamFailure, keepMs: minute })).toBe(false);
      expect(await eventStreams.renew(id, times)).toBe(false);
      expect(await eventStreams.end(id, { segment: last, keepMs: 0 })).toBe(true);
      expect(await eventStreams.read(id, all)).toBeUndefined();
    });

    test('that failed says why', async () => {
      const { eventStreams } = project();
      const id = newId();
      await eventStreams.create(id, times);
      await eventStreams.append(id, segment(0, '1'));
      expect(await eventStreams.end(id, { failure: streamFailure, keepMs: minute })).toBe(true);
      expect(await eventStreams.read(id, all)).toMatchObject({
        status: 'failed',
        failure: streamFailure,
        segments: [segment(0, '1')],
      });
    });

    test('is lost when its lease expires: its writer cannot continue, and a reader ends it', async () => {
      const { eventStreams } = project();
      const [id, held] = [newId(), newId()];
      await eventStreams.create(id, times);
      await eventStreams.append(id, segment(0, '1'));
      expect(await eventStreams.renew(id, lost)).toBe(true);
      expect(await eventStreams.read(id, all)).toMatchObject({ status: 'lost', segments: [segment(0, '1')] });
      expect(await eventStreams.append(id, segment(1, '2'))).toBe(false);
      expect(await eventStreams.renew(id, times)).toBe(false);
      expect(await eventStreams.end(id, { keepMs: minute })).toBe(false);
      const ends = [1, 2, 3].map(() => eventStreams.endLost(id, { failure: streamFailure, keepMs: minute }));
      expect((await Promise.all(ends)).filter(Boolean)).toEqual([true]);
      expect(await eventStreams.read(id, all)).toMatchObject({ status: 'failed', failure: streamFailure });
      await eventStreams.create(held, times);
      expect(await eventStreams.endLost(held, { failure: streamFailure, keepMs: minute })).toBe(false);
    });

    test('that is lost is taken over by one server, once, with its request', async () => {
      const { eventStreams } = project();
      const [id, without] = [newId(), newId()];
      const request = { keyId: 'key', request: '{"model":"é"}', traceId: undefined, traceHeaders: undefined };
      await eventStreams.create(without, lost);
      await eventStreams.create(id, times);
      expect(await eventStreams.storeRequest(id, request)).toBe(true);
      expect(await eventStreams.takeOver(id, times)).toBeUndefined();
      await eventStreams.append(id, segment(0, '1'));
      await eventStreams.renew(id, lost);
      expect(await project().eventStreams.takeOver(id, times)).toBeUndefined();
      const taken = await Promise.all(Array.from({ length: 5 }, () => eventStreams.takeOver(id, times)));
      expect(taken.filter((stored) => stored !== undefined)).toEqual([{ keyId: 'key', request: '{"model":"é"}' }]);
      expect(await eventStreams.takeOver(without, times)).toBeUndefined();
      // The server that lost it may have been suspended only.
      expect(await eventStreams.renew(id, times)).toBe(false);
      expect(await eventStreams.append(id, segment(1, 'x'))).toBe(false);
      expect(await eventStreams.end(id, { keepMs: minute })).toBe(false);
      expect(await eventStreams.append(id, segment(1, '2'), 'successor')).toBe(true);
      await eventStreams.renew(id, lost, 'successor');
      expect(await eventStreams.takeOver(id, times)).toBeUndefined();
      expect(await eventStreams.read(id, all)).toMatchObject({ segments: [segment(0, '1'), segment(1, '2')] });
      expect(await eventStreams.endLost(id, { failure: streamFailure, keepMs: minute })).toBe(true);
    });

    test('notes readers on other servers', async () => {
      const { eventStreams } = project();
      const id = newId();
      await eventStreams.create(id, times);
      expect((await eventStreams.read(id, all))?.followedMsAgo).toBeUndefined();
      await eventStreams.follow(id);
      expect((await eventStreams.read(id, all))?.followedMsAgo).toBeGreaterThanOrEqual(0);
    });

    test('that is deleted is gone, and cannot be written', async () => {
      const { eventStreams } = project();
      const id = newId();
      await eventStreams.create(id, times);
      await eventStreams.append(id, segment(0, '1'));
      expect(await eventStreams.delete(id)).toBe(true);
      expect(await eventStreams.delete(id)).toBe(false);
      expect(await eventStreams.read(id, all)).toBeUndefined();
      expect(await eventStreams.append(id, segment(1, '2'))).toBe(false);
      expect(await eventStreams.end(id, { keepMs: minute })).toBe(false);
    });

    test('does not exist for another project, in any call', async () => {
      const [{ eventStreams }, { eventStreams: other }] = [project(), project()];
      const id = newId();
      await eventStreams.create(id, times);
      expect(await other.read(id, all)).toBeUndefined();
      expect(await other.append(id, segment(0, '1'))).toBe(false);
      expect(await other.renew(id, times)).toBe(false);
      expect(await other.end(id, { keepMs: 0 })).toBe(false);
      expect(await other.delete(id)).toBe(false);
      await other.follow(id);
      expect(await eventStreams.read(id, all)).toMatchObject({ status: 'open', followedMsAgo: undefined });
    });

    test('is removed with its events after it was kept long enough', async () => {
      const { eventStreams } = project();
      const [old, kept] = [newId(), newId()];
      for (const id of [old, kept]) {
        await eventStreams.create(id, times);
        await eventStreams.append(id, segment(0, '1'));
      }
      await eventStreams.end(old, { keepMs: 0 });
      await eventStreams.end(kept, { keepMs: minute });
      expect(await stores().removeExpired({ completionsBefore: undefined, now: 0, limit: 100 })).toBeGreaterThan(0);
      expect(await eventStreams.delete(old)).toBe(false);
      expect(await eventStreams.read(kept, all)).toMatchObject({ segments: [segment(0, '1')] });
    });

    describe('that is the reply of an idempotency key', () => {
      test('is created with the claim of one of a hundred concurrent callers', async () => {
        const { idempotency, eventStreams } = project();
        const ids = Array.from({ length: 100 }, newId);
        const claims = await Promise.all(ids.map((id) => idempotency.claim(claimOf('k', id, id))));
        const winner = ids[claims.findIndex(({ state }) => state === 'acquired')] ?? '';
        expect(claims.filter(({ state }) => state === 'acquired')).toHaveLength(1);
        expect(await idempotency.claim(claimOf('k', 'late', 'late'))).toEqual({ state: 'streamed', stream: winner });
        const read = await Promise.all(ids.map((id) => eventStreams.read(id, all)));
        expect(read.filter((stream) => stream !== undefined)).toHaveLength(1);
        expect(await eventStreams.read(winner, all)).toMatchObject({ status: 'open' });
      });

      test('is found with the key while it is open and after it ended, and without claiming the key', async () => {
        const { idempotency, eventStreams } = project();
        const id = newId();
        expect(await idempotency.find('k', 'one')).toBeUndefined();
        await idempotency.claim(claimOf('k', 'first', id));
        expect(await idempotency.find('k', 'one')).toEqual({ state: 'streamed', stream: id });
        expect(await idempotency.find('k', 'two')).toEqual({ state: 'key_reused' });
        await eventStreams.end(id, { keepMs: minute });
        expect(await idempotency.find('k', 'one')).toEqual({ state: 'streamed', stream: id });
        expect(await idempotency.claim(claimOf('k', 'next', newId()))).toEqual({ state: 'streamed', stream: id });
        expect(await project().idempotency.find('k', 'one')).toBeUndefined();
      });

      test.each<[string, (streams: EventStreamStore, id: string) => Promise<unknown>]>([
        ['failed', (streams, id) => streams.end(id, { failure: streamFailure, keepMs: minute })],
        ['is lost', (streams, id) => streams.renew(id, lost)],
        ['was deleted', (streams, id) => streams.delete(id)],
      ])('frees the key when it %s, for exactly one caller', async (_, end) => {
        const { idempotency, eventStreams } = project();
        const id = newId();
        await idempotency.claim(claimOf('k', 'first', id));
        await end(eventStreams, id);
        const ids = Array.from({ length: 20 }, newId);
        const claims = await Promise.all(ids.map((next) => idempotency.claim(claimOf('k', next, next))));
        expect(claims.filter(({ state }) => state === 'acquired')).toHaveLength(1);
      });

      test('keeps the key in use for a while when it failed with an unknown outcome', async () => {
        const { idempotency, eventStreams } = project();
        const id = newId();
        await idempotency.claim(claimOf('k', 'first', id));
        await eventStreams.end(id, { failure: streamFailure, keepMs: minute, holdKeyMs: minute });
        expect(await idempotency.claim(claimOf('k', 'next', newId()))).toEqual({ state: 'streamed', stream: id });
      });

      test('is deleted when the key is released', async () => {
        const { idempotency, eventStreams } = project();
        const id = newId();
        await idempotency.claim(claimOf('k', 'first', id));
        await idempotency.release({ key: 'k', token: 'another' });
        expect(await eventStreams.read(id, all)).toMatchObject({ status: 'open' });
        await idempotency.release({ key: 'k', token: 'first' });
        expect(await eventStreams.read(id, all)).toBeUndefined();
        expect(await idempotency.claim(claimOf('k', 'next', newId()))).toEqual({ state: 'acquired' });
      });
    });
  });
}
