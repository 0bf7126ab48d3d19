import type { EndpointId } from '@modelwire/schema';
import type { Check, SubjectId } from './check.ts';
import { collectResults } from './collect-results.ts';
import { identityOf, runCheck, SERVED_CHECK } from './run-check.ts';
import { NoResponseError } from './exchange/response.ts';
import { createRedact } from './exchange/redact.ts';
import { createSender } from './exchange/sender.ts';
import { resolveOptions } from './options.ts';
import type { ConformanceOptions, Settings } from './options.ts';
import { unexpectedResults } from './expected-failures.ts';
import { selectChecks } from './plan.ts';
import type { CheckResult, ConformanceReport } from './report.ts';
import { describeParts, earlierResults, remainingChecks } from './resume.ts';
import { runInPhases } from './schedule.ts';
import { countOutcomes, scoreAll, scoreEndpoint } from './score.ts';
import { createCleanup } from './context/cleanup.ts';
import { preflight } from './context/preflight.ts';
import { createRunContext } from './context/create-run-context.ts';
import type { RunContext } from './context/run-context.ts';

/**
 * Scores an OpenAI-compatible server. Removes what it created and changes nothing else. Bounded in time and memory regardless of the
 * server's behavior; an unreachable server results in a report, too.
 * @throws {TypeError} for invalid options.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const settings = resolveOptions(options);
  const checks = selectChecks(settings);
  const earlier = earlierResults(settings.resume, checks);
  const remaining = remainingChecks(checks, earlier);
  const startedAt = new Date().toISOString();
  const startedMs = performance.now();
  const budget = AbortSignal.timeout(settings.budgetMs);
  // Also aborted at the end: no request outlives the run.
  const runEnd = new AbortController();
  const runSignal = AbortSignal.any([settings.signal, budget, runEnd.signal]);
  const context = createRunContext(settings, runSignal);
  const redact = createRedact([settings.apiKey ?? '', ...Object.values(settings.headers)]);

  const notes: string[] = [];
  let callbackError: { readonly error: unknown } | undefined;
  const results = collectResults({ checks, earlier: earlier.length }, settings, (error) => {
    // The cleanup runs in any case.
    callbackError = { error };
    runEnd.abort();
  });
  const undecided = new Set(remaining.map(({ id }) => id));
  for (const result of earlier) results.add(result, { isFinal: !undecided.has(result.id) });
  const problem =
    remaining.length === 0 ? undefined : await preflight(context).catch((error: unknown) => unreachable(error));
  if (problem?.note !== undefined) notes.push(redact(problem.note));
  if (problem?.fatal === true) {
    for (const check of remaining) results.add(unevaluated(check, redact(problem.note)));
  } else {
    startJobs(context, remaining);
    await runInPhases(remaining, settings.concurrency, (check) =>
      results.follow(check, () => runCheck(check, context, runSignal, redact)),
    );
  }
  const complete = !runSignal.aborted;
  runEnd.abort();
  await context.settle();
  const hasServer = remaining.length > 0 && problem?.fatal !== true;
  const notRemoved = hasServer ? await cleanUp(settings, context) : settings.leftovers.map(({ name }) => name);
  if (callbackError) throw callbackError.error;
  if (budget.aborted) notes.push(`The time budget of ${settings.budgetMs} ms ended before all checks had a result.`);
  if (settings.signal.aborted) notes.push('The run was aborted.');
  if (settings.shard.count > 1)
    notes.push(`These are the checks of part ${settings.shard.index} of ${settings.shard.count}.`);
  notes.push(...describeParts(settings));

  const ordered = results.all();
  const unexpected = unexpectedResults(ordered);
  if (unexpected.passes.length > 0) {
    notes.push(`These checks pass, but are expected to fail: ${unexpected.passes.join(', ')}.`);
  }
  const subjects = [...new Set(checks.map(({ endpoint }) => endpoint))];
  const endpoints = subjects.map((id) => {
    const endpointResults = ordered.filter(({ endpoint }) => endpoint === id);
    return scoreEndpoint(id, endpointResults, isServed(id, endpointResults));
  });
  return {
    kind: 'modelwire.conformance',
    version: 1,
    baseURL: redact(settings.baseURL),
    startedAt,
    durationMs: Math.round(performance.now() - startedMs),
    requests: context.stats.requests,
    complete,
    only: settings.only,
    spec: settings.spec,
    quick: settings.quick,
    shard: `${settings.shard.index}/${settings.shard.count}`,
    destructive: settings.destructive,
    models: { ...settings.models, chat: context.detectedModels.chat ?? settings.models.chat },
    score: scoreAll(endpoints, ordered),
    counts: countOutcomes(ordered),
    unexpected,
    endpoints,
    results: ordered,
    notes,
    notDeleted: notRemoved,
  };
}

/** `undefined` if unknown. */
function isServed(id: SubjectId, results: readonly CheckResult[]): boolean | undefined {
  if (id === 'http') return true;
  const servedResult = results.find((result) => result.id === `${id}/${SERVED_CHECK}`);
  if (servedResult?.outcome === 'pass') return true;
  if (servedResult?.outcome === 'fail') return false;
  if (results.some(({ reason }) => reason === 'The endpoint is not served.')) return false;
  return results.some(({ outcome }) => outcome === 'pass' || outcome === 'fail') ? true : undefined;
}

/** Starts long-running jobs early, for checks that wait for them. */
function startJobs(context: RunContext, checks: readonly Check[]): void {
  const endpoints = new Set<EndpointId>(
    checks.flatMap(({ phase, endpoint }) => (phase === 'jobs' && endpoint !== 'http' ? [endpoint] : [])),
  );
  for (const endpoint of endpoints) context.probe(endpoint).catch(() => undefined);
}

function unreachable(error: unknown): { readonly note: string; readonly fatal: true } {
  const reason =
    error instanceof NoResponseError ? error.message : error instanceof Error ? error.message : 'no reason';
  return { note: `The server cannot be reached: ${reason}`, fatal: true };
}

const unevaluated = (check: Check, reason: string): CheckResult => ({
  ...{ ...identityOf(check), durationMs: 0, reason },
  outcome: check.id.endsWith(`/${SERVED_CHECK}`) ? 'error' : 'skipped',
});

/** For what the run created, and as long for what a killed one left. */
const CLEANUP_MS = 20_000;

/** Removes what the run created, also when it was aborted, and then what a killed run left. */
async function cleanUp(settings: Settings, context: RunContext): Promise<readonly string[]> {
  const notRemoved: string[] = [];
  for (const cleanup of [context.cleanup, createCleanup(() => undefined, settings.leftovers)]) {
    const signal = AbortSignal.timeout(CLEANUP_MS);
    const sender = createSender(settings, signal, () => undefined, 0);
    notRemoved.push(...(await cleanup.run((call) => sender.send(call))));
    await sender.settle();
  }
  return notRemoved;
}
