import { describe, expect, test } from 'vitest';
import { parseSearch } from '@modelwire/ports/internal';
import { completionRecord } from '@modelwire/ports/testing';
import type { OpenPlans } from './planned-stores.ts';

const filters = {
  none: {},
  model: { model: 'small' },
  'one pair': { metadata: { all: 'yes' } },
  'an hour': { createdFrom: 9000, createdBefore: 12_600 },
  'three pairs and a model': { model: 'small', metadata: { all: 'yes', some: '3', few: '13' } },
};
const cases = Object.entries(filters).flatMap(([name, filter]) =>
  (['asc', 'desc'] as const).flatMap((order) =>
    [undefined, 'c10000'].map((after) => ({ name, order, after, query: { ...filter, order, after, limit: 20 } })),
  ),
);

export function describeCompletionPlans(opened: () => OpenPlans): void {
  describe('completions', () => {
    test.each(cases)(
      'a page with filter $name, $order, after $after scans an index and sorts nothing',
      async ({ name, order, after, query }) => {
        const { stores, plansOf, scans, sorts, sortsFewRows, boundsOf } = opened();
        const plans = await plansOf(() => stores.project('p').completions.list(query));
        // Terms are counted first, also with the index.
        expect(plans.flatMap(scans)).toEqual([]);
        const isSelective = name === 'three pairs and a model';
        if (!isSelective || !sortsFewRows) expect(plans.filter(sorts)).toEqual([]);
        const page = plans.at(-1) ?? '';
        expect(page).toContain('completion_terms_page');
        if (isSelective && sortsFewRows) return;
        const bounds = boundsOf(page, 'completion_terms_page');
        const [start, end] = order === 'asc' ? ['>', '<'] : ['<', '>'];
        expect(bounds).toContain('term');
        if (after !== undefined || name === 'an hour')
          expect(bounds).toMatch(new RegExp(`created_at, ?completion_seq\\) ?${start}`));
        if (name === 'an hour') expect(bounds).toMatch(new RegExp(`created_at ?${end}`));
      },
    );

    test.each(cases)(
      'summaries with filter $name, $order, after $after are looked up by their key',
      async ({ query }) => {
        const { stores, plansOf, scans, looksUpByKey } = opened();
        const plans = await plansOf(() => stores.project('p').completions.listSummaries(query));
        expect(plans.flatMap(scans)).toEqual([]);
        expect(looksUpByKey(plans.at(-1) ?? '', 'completion_summaries')).toBe(true);
      },
    );

    test.each([
      { search: 'answer', filter: {} },
      { search: 'rarest', filter: { model: 'small' } },
      { search: '"answer of" rare*', filter: { createdFrom: 9000, after: 'c10000' } },
    ])('a search for $search reads an index, in page order unless it finds few', async ({ search, filter }) => {
      const { stores, plansOf, scans, sorts, sortsFewRows } = opened();
      for (const order of ['asc', 'desc'] as const) {
        const query = { ...filter, search: parseSearch(search), order, limit: 20 };
        const plans = await plansOf(() => stores.project('p').completions.listSummaries(query));
        expect(plans.flatMap(scans)).toEqual([]);
        expect(plans.at(-1)).toMatch(/VIRTUAL TABLE INDEX|modelwire_completion_words_(?:search|page)/);
        if (!sortsFewRows) expect(plans.filter(sorts)).toEqual([]);
      }
    });

    test.each(cases.filter(({ name, after }) => name === 'an hour' || (name === 'none' && after !== undefined)))(
      'a page of all projects with filter $name, $order, after $after scans an index and sorts nothing',
      async ({ query }) => {
        const { stores, plansOf, scans, sorts } = opened();
        const plans = await plansOf(async () => stores.allCompletions?.listSummaries(query));
        expect(plans.at(-1)).toContain('completions_created');
        expect(plans.flatMap(scans)).toEqual([]);
        expect(plans.filter(sorts)).toEqual([]);
      },
    );

    test.each([
      { filter: { after: 'q10000' } },
      { filter: { from: 9000, to: 12_600 } },
      { filter: { projects: ['p1'] } },
      { filter: { keyIds: ['k7'], from: 9000 } },
      { filter: { outcomes: ['failed' as const], projects: ['p0'], after: 'q10000' } },
    ])('a page of the request log with $filter scans an index and sorts nothing', async ({ filter }) => {
      const { stores, plansOf, scans, sorts } = opened();
      for (const order of ['asc', 'desc'] as const) {
        const plans = await plansOf(async () => stores.requestLog?.list({ ...filter, order, limit: 20 }));
        expect(plans.at(-1)).toContain('request_log_');
        expect(plans.flatMap(scans)).toEqual([]);
        expect(plans.filter(sorts)).toEqual([]);
      }
    });

    test.each([{ after: 'q10000' }, { from: 9000 }, {}])(
      'a page of the request log of one model with %o scans the index of models and sorts nothing',
      async (filter) => {
        const { stores, plansOf, sorts, boundsOf } = opened();
        for (const order of ['asc', 'desc'] as const) {
          const plans = await plansOf(async () =>
            stores.requestLog?.list({ ...filter, models: ['m7'], order, limit: 20 }),
          );
          expect(boundsOf(plans.at(-1) ?? '', 'request_log_of_model')).toContain('model');
          expect(plans.filter(sorts)).toEqual([]);
        }
      },
    );

    test('a page scans the rarest of several terms', async () => {
      const { stores, last } = opened();
      const { completions } = stores.project('p');
      const scannedTerm = async (metadata: Record<string, string>, model?: string) => {
        await completions.list({ limit: 1, order: 'asc', metadata, model });
        return last()?.parameters[0];
      };
      const few = await scannedTerm({ few: '13' });
      expect(await scannedTerm({ all: 'yes', some: '3', few: '13' }, 'small')).toBe(few);
      expect(await scannedTerm({ few: '13', some: '3', all: 'yes' })).toBe(few);
    });

    test('all other calls, and those on keys, usage and idempotency keys, use an index', async () => {
      const { stores, plansOf, scans, sorts, sortsFewRows } = opened();
      const { completions, idempotency } = stores.project('p');
      const key = { key: 'k', token: 't' };
      const plans = await plansOf(async () => {
        await completions.get('c3');
        await completions.messages('c3', { limit: 1, order: 'asc' });
        await completions.setMetadata('c3', { a: 'b' });
        await completions.delete('c4');
        await completions.append(completionRecord({ id: 'c4', created: 4 }));
        await completions.list({ after: 'gone7', limit: 5, order: 'asc' });
        await stores.keys.findByHash('h');
        await stores.keys.list('p');
        await stores.keys.revoke('k', 1);
        await stores.usage.read({ from: 1, to: 2 });
        await idempotency.claim({ ...key, fingerprint: 'f', claimTtlMs: 2 });
        await idempotency.renew(key, 3);
        await idempotency.finish(key, { status: 200, contentType: 'a/b', body: '' }, 3);
        await idempotency.release(key);
        await stores.removeExpired({ completionsBefore: 2, now: 86_402_000, limit: 5 });
      });
      expect(plans.flatMap(scans)).toEqual([]);
      if (!sortsFewRows) expect(plans.filter(sorts)).toEqual([]);
    });

    test('the requests of some minutes are summed by an index', async () => {
      const { stores, plansOf, scans } = opened();
      const query = { from: 60, to: 3600, step: 60 };
      const plans = await plansOf(async () => {
        await stores.requestStats?.readMinutes(query);
        await stores.requestStats?.readMinutes({ ...query, project: 'p', model: 'm' });
      });
      expect(plans.flatMap(scans)).toEqual([]);
    });
  });
}
