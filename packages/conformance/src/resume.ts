import * as z from 'zod';
import type { Check } from './check.ts';
import type { Settings } from './options.ts';
import { worstOf } from './collect-results.ts';
import type { CheckResult } from './report.ts';
import { identityOf } from './run-check.ts';

const resultSchema = z.object({
  id: z.string(),
  outcome: z.enum(['pass', 'fail', 'skipped', 'error']),
  durationMs: z.number(),
  reason: z.string().optional(),
  sent: z
    .object({
      method: z.string(),
      path: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string().optional(),
    })
    .optional(),
  response: z
    .object({
      status: z.number(),
      contentType: z.string().nullable(),
      requestId: z.string().nullable(),
      body: z.string(),
    })
    .optional(),
  expectation: z.string().optional(),
  fix: z.string().optional(),
});

const reportSchema = z.object({
  kind: z.literal('modelwire.conformance'),
  version: z.literal(1),
  shard: z.string(),
  durationMs: z.number(),
  complete: z.boolean(),
  results: z.array(resultSchema),
});

function parseReport(report: unknown): z.infer<typeof reportSchema> {
  const parsed = reportSchema.safeParse(report);
  if (!parsed.success) throw new TypeError('resume: this is not a report in JSON of a conformance run');
  return parsed.data;
}

/** What each earlier report had, and which parts of a run of all checks have none, as sentences. */
export function describeParts({ resume, shard: own }: Pick<Settings, 'resume' | 'shard'>): readonly string[] {
  const parts = resume.map(parseReport);
  const described = parts.map(({ shard, results, durationMs, complete }) => {
    const failed = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'error').length;
    const end = complete ? '' : ', and it was not complete';
    return `Part ${shard}: ${results.length} results, ${failed} of them failures, in ${Math.round(durationMs / 1000)} s${end}.`;
  });
  const shards = new Set(parts.map(({ shard }) => shard));
  if (own.count > 1) return described;
  const counts = new Set(parts.map(({ shard }) => Number(shard.split('/')[1])));
  const missing = [...counts].flatMap((count) =>
    Array.from({ length: count }, (_, at) => `${at + 1}/${count}`).filter((shard) => !shards.has(shard)),
  );
  return [...described, ...missing.map((shard) => `Part ${shard} has no report.`)];
}

/**
 * The results that a run takes over from earlier reports: passes and failures, and what a complete run skipped; of observations, the one that
 * found most. The title and the points are those of the present check.
 * @throws {TypeError} for a value that is not a report.
 */
export function earlierResults(reports: readonly unknown[], checks: readonly Check[]): readonly CheckResult[] {
  const observations = new Set(checks.filter(({ phase }) => phase === 'observations').map(({ id }) => id));
  const decided = new Map<string, z.infer<typeof resultSchema>>();
  for (const report of reports) {
    const { complete, results } = parseReport(report);
    for (const result of results) {
      const { id, outcome } = result;
      if (outcome === 'error' || (outcome === 'skipped' && !complete)) continue;
      decided.set(id, observations.has(id) ? worstOf(result, decided.get(id)) : result);
    }
  }
  return checks.flatMap((check) => {
    const result = decided.get(check.id);
    return result ? { ...result, ...identityOf(check) } : [];
  });
}

/** The checks without an earlier result. If some of them send requests, these are judged as well, whatever observations there are. */
export function remainingChecks(checks: readonly Check[], earlier: readonly CheckResult[]): readonly Check[] {
  const decided = new Set(earlier.map(({ id }) => id));
  const undecided = checks.filter(({ id }) => !decided.has(id));
  const sends = undecided.some(({ phase }) => phase !== 'observations');
  return checks.filter(({ id, phase }) => !decided.has(id) || (sends && phase === 'observations'));
}
