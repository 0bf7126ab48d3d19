import { describe, expect, test } from 'vitest';
import type { JobKind, Lease } from '@modelwire/ports';
import { videoRecord } from '@modelwire/ports/testing';
import type { OpenPlans } from './planned-stores.ts';
import { claimAndReleaseJob, prepareWorkCalls, removeDueBytes } from './work-calls.ts';

const kinds: readonly JobKind[] = ['batch', 'video'];
const pages = (['asc', 'desc'] as const).flatMap((order) =>
  [undefined, '9000'].map((after) => ({ order, after, query: { order, limit: 20, now: 0 } })),
);
/** The indexes of due jobs in a plan, each once. */
const jobIndexes = (plan: string) => [...new Set(plan.match(/jobs_due\w*/g))];

/** `run`: the number of this run on the same stores. */
export function describeWorkPlans(opened: () => OpenPlans, run: number): void {
  describe('files, uploads, batches, videos and jobs', () => {
    test.each(pages)(
      'a page, $order, after $after scans an index and sorts nothing',
      async ({ order, after, query }) => {
        const { stores, plansOf, scans, sorts, boundsOf } = opened();
        const { files, batches, videos } = stores.project('p');
        const from = (letter: string) => ({ ...query, after: after && `${letter}${after}` });
        const calls: [string, () => Promise<unknown>][] = [
          ['files_page', () => files.list(from('f'))],
          ['files_page_of_purpose', () => files.list({ ...from('f'), purpose: 'batch' })],
          ['batches_page', () => batches.list(from('b'))],
          ['videos_page', () => videos.list(from('v'))],
        ];
        for (const [index, call] of calls) {
          const plan = (await plansOf(call)).at(-1) ?? '';
          expect(scans(plan)).toEqual([]);
          expect(sorts(plan)).toBe(false);
          const bounds = boundsOf(plan, index);
          expect(bounds).toContain('project_id');
          if (index === 'files_page_of_purpose') expect(bounds).toContain('purpose');
          if (after !== undefined)
            expect(bounds).toMatch(order === 'asc' ? /created_at[^<>=]*>/ : /created_at[^<>=]*</);
        }
      },
    );

    test('claiming without a due job reads only the end of an index', async () => {
      const { stores, plansOf, scans, sorts } = opened();
      const plans = await plansOf(() => stores.jobs.claim({ kinds, due: 'urgent', leaseMs: 1000 }));
      expect(plans.map(jobIndexes)).toEqual([['jobs_due']]);
      expect(plans.flatMap(scans)).toEqual([]);
      expect(plans.filter(sorts)).toEqual([]);
    });

    test('claiming a job of one kind reads no jobs of other kinds, however many are due', async () => {
      const { stores, plansOf, scans, sorts, boundsOf } = opened();
      const plans = await plansOf(() => stores.jobs.claim({ kinds: ['response'], except: ['busy'], leaseMs: 1000 }));
      expect(plans.map(jobIndexes)).toEqual([['jobs_due_of_kind']]);
      expect(boundsOf(plans[0] ?? '', 'jobs_due_of_kind')).toContain('kind');
      expect(plans.flatMap(scans)).toEqual([]);
      expect(plans.filter(sorts)).toEqual([]);
    });

    test('claiming past a backlog of other projects reads the head of an index, then steps from project to project', async () => {
      const { stores, plansOf, scans } = opened();
      const own = videoRecord({ id: `other ${run}` });
      await stores.project('q').videos.create(own);
      let lease: Lease | undefined;
      const plans = await plansOf(async () => {
        lease = await stores.jobs.claim({ kinds: ['video'], except: ['p'], leaseMs: 1e12 });
      });
      expect(lease).toMatchObject({ id: own.video.id, project: 'q' });
      expect(plans.map(jobIndexes)).toEqual([
        [expect.stringMatching(/^jobs_due/)],
        ['jobs_due_of_project'],
        ['jobs_due_of_project'],
      ]);
      expect(plans.flatMap(scans)).toEqual([]);
    });

    test('deliveries of one status are read from an index', async () => {
      const { stores, plansOf, scans } = opened();
      const query = { webhook: 'h0', status: 'failed', limit: 20 } as const;
      const plans = await plansOf(() => stores.webhooks.deliveries(query));
      expect(plans).toEqual([expect.stringContaining('webhook_deliveries_of_status')]);
      expect(plans.flatMap(scans)).toEqual([]);
    });

    test('claiming and releasing a job use an index and sort nothing', async () => {
      const { stores, plansOf, scans, sorts } = opened();
      const plans = await plansOf(() => claimAndReleaseJob(stores));
      expect(plans[1]).toContain('jobs_due');
      expect(plans.flatMap(scans)).toEqual([]);
      expect(plans.filter(sorts)).toEqual([]);
    });

    test('due bytes are read from an index, oldest first', async () => {
      const { stores, plansOf, scans } = opened();
      const plans = await plansOf(() => removeDueBytes(stores, 'due2000'));
      for (const plan of plans.slice(0, 2)) expect(plan).toContain('blob_ledger_due');
      expect(plans.flatMap(scans)).toEqual([]);
    });

    test('all other calls use an index', async () => {
      const { stores, plansOf, scans } = opened();
      await stores.project('p').videos.create(videoRecord({ created_at: -1 }));
      const callWork = await prepareWorkCalls(stores, { run: String(run), file: `f${4 + run}`, upload: `u${8 + run}` });
      const plans = await plansOf(async () => {
        await callWork();
        await stores.project('p').batches.linesWithResults('b1');
      });
      expect(plans.flatMap(scans)).toEqual([]);
    });
  });
}
