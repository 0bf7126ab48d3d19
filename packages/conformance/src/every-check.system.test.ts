import { afterAll, beforeAll, expect, test } from 'vitest';
import { extensionIds } from './checks/shape.ts';
import { runConformance } from './index.ts';
import type { ConformanceReport } from './index.ts';
import { withMutation } from './testing/mutate.ts';
import type { Mutation } from './testing/mutate.ts';
import { mutations } from './testing/mutations.ts';
import { idsOf } from './testing/outcomes.ts';
import { apiKey, baseURL, generousTimeouts, serve } from './testing/serve.ts';
import type { ConformanceTestServer } from './testing/serve.ts';

// Thirty runs of all checks. `broken.test.ts` has the faults that single checks find.
let served: ConformanceTestServer;
beforeAll(async () => {
  served = await serve();
});
afterAll(async () => served.close());

const run = (mutation: Mutation = {}): Promise<ConformanceReport> =>
  runConformance({ baseURL, apiKey, fetch: withMutation(served.fetch, mutation), concurrency: 8, ...generousTimeouts });

/** Fields are all checked by the same code, which has its own tests. */
const isField = (id: string): boolean => /\/(?:response|event)\./.test(id);

/** Checks that only some servers need, skipped elsewhere; those that fail in other tests here. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  ...extensionIds.map((id) => `${id}/served`),
  'files.content/content-type',
  'chat.completions.create/idempotency.same',
  'chat.completions.create/cache.affinity',
]);

test('every check can fail: together they find the fault of each broken server', async () => {
  const good = await run();
  const passed = idsOf(good, 'pass');
  expect(idsOf(good, 'fail')).toEqual([]);
  const failed = new Set<string>();
  for (const [name, mutation] of Object.entries(mutations)) {
    const report = await run(mutation);
    expect([name, idsOf(report, 'fail').length > 0]).toEqual([name, true]);
    for (const id of idsOf(report, 'fail')) failed.add(id);
  }
  expect(passed.filter((id) => !failed.has(id) && !isField(id) && !ELSEWHERE.has(id))).toEqual([]);
  const fields = passed.filter(isField);
  expect(fields.filter((id) => failed.has(id)).length).toBeGreaterThan(0.85 * fields.length);
}, 900_000);
