import type { EndpointId } from '@modelwire/schema';
import type { Check, SubjectId } from './check.ts';
import { runCheck, SERVED_CHECK } from './run-check.ts';
import { NoResponseError } from './exchange/answer.ts';
import { redactor } from './exchange/redact.ts';
import { createSender } from './exchange/sender.ts';
import { settingsOf } from './options.ts';
import type { ConformanceOptions, Settings } from './options.ts';
import { planOf } from './plan.ts';
import type { CheckResult, ConformanceReport } from './report.ts';
import { countsOf, scoreAll, scoreEndpoint } from './score.ts';
import { preflight } from './world/preflight.ts';
import { createWorld } from './world/create-world.ts';
import type { World } from './world/world.ts';

/**
 * Scores an OpenAI-compatible server. Removes what it created and changes nothing else. Bounded in time and memory whatever the
 * server does; an unreachable server results in a report too.
 * @throws {TypeError} for invalid options.
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceReport> {
  const given = settingsOf(options);
  const checks = planOf(given);
  const startedAt = new Date().toISOString();
  const began = performance.now();
  const budget = AbortSignal.timeout(given.budgetMs);
  // Also aborted at the end: no request outlives the run.
  const over = new AbortController();
  const ended = AbortSignal.any([given.signal, budget, over.signal]);
  const world = createWorld(given, ended);
  const redact = redactor([given.apiKey ?? '', ...Object.values(given.headers)]);

  const notes: string[] = [];
  const results = new Map<string, CheckResult>();
  let thrown: { readonly error: unknown } | undefined;
  function tell(result: CheckResult): void {
    results.set(result.id, result);
    if (thrown) return;
    try {
      given.onResult(result, { done: results.size, total: checks.length });
    } catch (error) {
      // The cleanup runs in any case.
      thrown = { error };
      over.abort();
    }
  }
  const decideAll = async (some: readonly Check[]): Promise<void> =>
    pooled(given.concurrency, some, async (check) => tell(await runCheck(check, world, ended, redact)));

  const trouble = await preflight(world).catch((error: unknown) => unreachable(error));
  if (trouble?.note !== undefined) notes.push(redact(trouble.note));
  if (trouble?.fatal === true) {
    for (const check of checks) tell(undecided(check, redact(trouble.note)));
  } else {
    begin(world, checks);
    const late = checks.filter((check) => check.late);
    // Jobs run meanwhile; checks that wait for them come last.
    const [now, jobs] = [checks.filter((one) => !one.late && !one.job), checks.filter((one) => !one.late && one.job)];
    await decideAll([...now, ...jobs]);
    await decideAll(late);
  }
  const complete = !ended.aborted;
  over.abort();
  const left = trouble?.fatal === true ? [] : await cleanUp(given, world);
  if (thrown) throw thrown.error;
  if (budget.aborted) notes.push(`The time budget of ${given.budgetMs} ms ended before all checks had a result.`);
  if (given.signal.aborted) notes.push('The run was aborted.');

  const ordered = checks.flatMap(({ id }) => results.get(id) ?? []);
  const subjects = [...new Set(checks.map(({ endpoint }) => endpoint))];
  const endpoints = subjects.map((id) => {
    const own = ordered.filter(({ endpoint }) => endpoint === id);
    return scoreEndpoint(id, own, servedBy(id, own));
  });
  return {
    kind: 'modelwire.conformance',
    version: 1,
    baseURL: redact(given.baseURL),
    startedAt,
    durationMs: Math.round(performance.now() - began),
    requests: world.seen.requests,
    complete,
    only: given.only,
    destructive: given.destructive,
    models: { ...given.models, chat: world.known.chat ?? given.models.chat },
    score: scoreAll(endpoints, ordered),
    counts: countsOf(ordered),
    endpoints,
    results: ordered,
    notes,
    left,
  };
}

/** `undefined` if unknown. */
function servedBy(id: SubjectId, results: readonly CheckResult[]): boolean | undefined {
  if (id === 'http') return true;
  const said = results.find((result) => result.id === `${id}/${SERVED_CHECK}`);
  if (said?.outcome === 'pass') return true;
  if (said?.outcome === 'fail') return false;
  if (results.some(({ reason }) => reason === 'The endpoint is not served.')) return false;
  return results.some(({ outcome }) => outcome === 'pass' || outcome === 'fail') ? true : undefined;
}

/** Starts long-running jobs early, for checks that wait for them. */
function begin(world: World, checks: readonly Check[]): void {
  const jobs = new Set<EndpointId>(
    checks.flatMap(({ job, endpoint }) => (job && endpoint !== 'http' ? [endpoint] : [])),
  );
  for (const endpoint of jobs) world.serving(endpoint).catch(() => undefined);
}

function unreachable(error: unknown): { readonly note: string; readonly fatal: true } {
  const reason =
    error instanceof NoResponseError ? error.message : error instanceof Error ? error.message : 'no reason';
  return { note: `The server cannot be reached: ${reason}`, fatal: true };
}

const undecided = ({ id, endpoint, title, section, weight, certainty }: Check, reason: string): CheckResult => ({
  ...{ id, endpoint, title, section, weight, certainty, durationMs: 0, reason },
  outcome: id.endsWith(`/${SERVED_CHECK}`) ? 'error' : 'skipped',
});

const CLEANUP_MS = 20_000;

/** Removes what the run created, also when it was aborted. */
async function cleanUp(settings: Settings, { cleanup }: World): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(CLEANUP_MS);
  const sender = createSender(settings, signal, () => undefined);
  return cleanup.run((call) => sender.send(call));
}

async function pooled<Item>(width: number, items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const rest = items.values();
  const worker = async (): Promise<void> => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
