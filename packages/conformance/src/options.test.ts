import { expect, test } from 'vitest';
import type { Check } from './check.ts';
import { runConformance } from './index.ts';
import { selectChecks } from './plan.ts';

const select = (options: Partial<Parameters<typeof selectChecks>[0]> = {}) =>
  selectChecks({
    only: [],
    except: [],
    quick: false,
    spec: 'latest',
    shard: { index: 1, count: 1 },
    expectedFailures: new Map(),
    ...options,
  });

const idsOf = (only: readonly string[], except: readonly string[] = []): readonly string[] =>
  select({ only, except }).map(({ id }) => id);

test('every check has a unique ID, a title and a section', () => {
  const checks = select();
  expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
  expect(
    checks.filter(
      ({ title, section, id, endpoint }) => title === '' || section === '' || !id.startsWith(`${endpoint}/`),
    ),
  ).toEqual([]);
});

test('only selects groups, endpoints and prefixes of IDs; except excludes them', () => {
  expect(idsOf(['uploads']).every((id) => id.startsWith('uploads.'))).toBe(true);
  expect(idsOf(['uploads']).length).toBeGreaterThan(50);
  expect(idsOf(['chat.completions.create']).some((id) => id.startsWith('chat.completions.list'))).toBe(false);
  const streams = idsOf(['chat.completions.create/stream']);
  expect(streams.every((id) => id.startsWith('chat.completions.create/stream'))).toBe(true);
  expect(idsOf(['chat', 'uploads'], ['uploads.cancel']).some((id) => id.startsWith('uploads.cancel'))).toBe(false);
});

test('shards together have each check that sends requests once, in order, and each has all observations', () => {
  const idsIn = (checks: readonly Check[], isObservation: boolean): readonly string[] =>
    checks.filter(({ phase }) => (phase === 'observations') === isObservation).map(({ id }) => id);
  const shards = [1, 2, 3].map((index) => select({ shard: { index, count: 3 } }));
  expect(shards.flatMap((shard) => idsIn(shard, false))).toEqual(idsIn(select(), false));
  for (const shard of shards) expect(idsIn(shard, true)).toEqual(idsIn(select(), true));
});

test('a quick run has a few hundred checks of every resource but videos, and waits for no job', () => {
  const quick = select({ quick: true });
  const groupOf = (endpoint: string): string => endpoint.split('.')[0] ?? '';
  expect(quick.length).toBeGreaterThan(200);
  expect(quick.length).toBeLessThan(500);
  expect(quick.filter((one) => one.phase === 'jobs' || one.destructive || one.weight === 1)).toEqual([]);
  const withoutVideos = select({ except: ['videos', 'capabilities', 'usage'] });
  expect(new Set(quick.map(({ endpoint }) => groupOf(endpoint)))).toEqual(
    new Set(withoutVideos.map(({ endpoint }) => groupOf(endpoint))),
  );
  expect(select({ quick: true, only: ['models'] }).length).toBeGreaterThan(1);
});

test.each([
  [{ only: ['upload'] }, /nothing is called 'upload'.*uploads/],
  [{ expectedFailures: new Map([['models.list/none', '']]) }, /no check has the ID 'models\.list\/none'/],
  [{ baseURL: 'localhost:8787' }, /baseURL/],
  [{ baseURL: 'http://user:pass@localhost/v1' }, /baseURL/],
  [{ spec: '2024-01' }, /spec: .*2025-06/],
  [{ shard: '5/4' }, /shard/],
  [{ seed: 'a b' }, /seed/],
  [{ resume: [{}] }, /resume/],
  [{ concurrency: 0 }, /concurrency/],
  [{ budgetMs: 1.5 }, /budgetMs/],
])('%j is refused', async (options, reason) => {
  const error: unknown = await runConformance({ baseURL: 'http://localhost/v1', ...options }).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).toMatch(reason);
  expect(String(error)).not.toContain('pass@');
});
