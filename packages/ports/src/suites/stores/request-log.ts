import { describe, expect, test } from 'vitest';
import type { RequestRecord, RequestLogQuery, RequestLogStore } from '../../request-log-store.ts';
import { hostileTexts } from './completions.ts';
import { openStores } from './open-stores.ts';
import type { StoresUnderTest } from './open-stores.ts';
import { walkPages } from './walk-pages.ts';

let recordCount = 0;

const requestRecord = (init: Partial<RequestRecord> = {}): RequestRecord => ({
  id: `req_suite-${++recordCount}`,
  created: 1_700_000_000,
  project: 'a',
  keyId: 'key_1',
  endpoint: '/v1/chat/completions',
  model: 'small',
  outcome: 'succeeded',
  status: 200,
  error: null,
  isStreamed: true,
  durationMs: 350,
  firstTokenMs: 40,
  inputTokens: 12,
  outputTokens: 5,
  cachedTokens: 8,
  costMicros: 70,
  currency: 'eur',
  response: null,
  batch: null,
  ...init,
});

export function describeRequestLog(open: () => Promise<StoresUnderTest>): void {
  describe('the request log', () => {
    const { stores, project } = openStores(open);
    const log = (): RequestLogStore => {
      const { requestLog } = stores();
      if (!requestLog) throw new Error('these stores have no request log');
      return requestLog;
    };
    /** Appends requests of a project that no other test uses. */
    async function append(inits: readonly Partial<RequestRecord>[]) {
      const name = `requests-${++recordCount}`;
      const requests = inits.map((init) => requestRecord({ project: name, ...init }));
      await log().append(requests);
      const idsOf = async (query: Partial<RequestLogQuery> = {}) =>
        (await log().list({ limit: 100, order: 'desc', projects: [name], ...query }))?.items.map(({ id }) => id);
      return { name, requests, ids: requests.map(({ id }) => id), idsOf };
    }

    test('keeps what it is given, and each request once', async () => {
      const empty = {
        firstTokenMs: null,
        inputTokens: null,
        outputTokens: null,
        cachedTokens: null,
        costMicros: null,
        currency: null,
      };
      const failed = { outcome: 'failed', status: 400, error: 'invalid_value', isStreamed: false, model: '' } as const;
      const [full, bare] = [
        requestRecord({ response: 'resp_1', batch: 'batch_1' }),
        requestRecord({ ...empty, ...failed }),
      ];
      await log().append([full, bare]);
      await log().append([{ ...full, model: 'other' }]);
      await log().append([]);
      expect(await log().get(full.id)).toEqual(full);
      expect(await log().get(bare.id)).toEqual(bare);
      expect(await log().get('req_none')).toBeUndefined();
    });

    test('adds all of them or none', async () => {
      const [valid, invalid] = [requestRecord(), requestRecord({ durationMs: Number.NaN })];
      await expect(log().append([valid, invalid])).rejects.toThrow();
      expect(await log().get(valid.id)).toBeUndefined();
    });

    test('is sorted by time, then by the order of appending, and read in pages', async () => {
      const { name, ids } = await append([30, 10, 20, 10, 30, 10].map((created) => ({ created })));
      const sorted = [1, 3, 5, 2, 0, 4].map((index) => ids[index]);
      for (const limit of [1, 2, 6, 7]) {
        const walk = (order: 'asc' | 'desc') =>
          walkPages((after) => log().list({ after, limit, order, projects: [name] }));
        expect(await walk('asc')).toEqual(sorted);
        expect(await walk('desc')).toEqual(sorted.toReversed());
      }
      for (const after of ['none', '', '\0', "' or 1=1 --"])
        expect(await log().list({ after, limit: 2, order: 'desc' })).toBeUndefined();
    });

    test('has the requests of all projects, and finds those of some, by key, model, outcome and time', async () => {
      const { name, ids, idsOf } = await append([
        { created: 10 },
        { created: 20, keyId: 'key_2', outcome: 'aborted' },
        { created: 30, model: 'large', outcome: 'failed' },
      ]);
      const [first, second, third] = ids;
      const other = await append([{ created: 25 }]);
      expect(await idsOf({ projects: [name, other.name] })).toEqual([third, ...other.ids, second, first]);
      expect((await idsOf({ projects: undefined }))?.filter((id) => ids.includes(id))).toEqual(ids.toReversed());
      expect(await idsOf({ projects: [] })).toEqual([]);
      expect(await idsOf({ keyIds: ['key_2', 'key_3'] })).toEqual([second]);
      expect(await idsOf({ models: ['large'], keyIds: ['key_1'] })).toEqual([third]);
      expect(await idsOf({ outcomes: ['failed', 'aborted'] })).toEqual([third, second]);
      expect(await idsOf({ from: 10, to: 30 })).toEqual([second, first]);
      expect(await idsOf({ models: ["' or 1=1 --"] })).toEqual([]);
    });

    test('keeps every text unchanged', async () => {
      for (const hostile of hostileTexts) {
        const { requests, idsOf } = await append([{ keyId: hostile, model: hostile, error: hostile, batch: hostile }]);
        const [request] = requests;
        expect(await log().get(request?.id ?? '')).toEqual(request);
        expect(await idsOf({ keyIds: [hostile], models: [hostile] })).toEqual([request?.id]);
      }
    });

    test('loses the requests that are older than its retention, and no completions', async () => {
      const { ids, idsOf } = await append([{ created: 99 }, { created: 100 }, { created: 5 }]);
      const remove = (requestsBefore?: number) =>
        stores().removeExpired({ completionsBefore: undefined, requestsBefore, now: 0, limit: 100 });
      await remove();
      expect(await idsOf()).toHaveLength(3);
      await remove(100);
      expect(await idsOf()).toEqual([ids[1]]);
      expect((await project().completions.list({ limit: 1, order: 'asc' }))?.items).toEqual([]);
    });
  });
}
