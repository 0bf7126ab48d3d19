import { contract } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import type { Check } from './check.ts';
import { NoResponseError } from './exchange/response.ts';
import type { CompleteResponse } from './exchange/response.ts';
import { describeResponse, excerpt, describeRequest } from './exchange/redact.ts';
import type { Redact } from './exchange/redact.ts';
import { raceAbort } from './exchange/race-abort.ts';
import type { Settings } from './options.ts';
import { sourceOf } from './requirements/find-requirement.ts';
import type { CheckResult, Outcome, SentRequest } from './report.ts';
import type { RunContext } from './context/run-context.ts';
import { Skip, Violation } from './verdict.ts';

interface Decision {
  readonly outcome: Outcome;
  readonly reason?: string | undefined;
  readonly response?: CompleteResponse | undefined;
  readonly sent?: SentRequest | undefined;
  readonly fix?: string | undefined;
}

/** The name of the check whether an endpoint is served. */
export const SERVED_CHECK = 'served';

/** Runs one check within its timeout. Never rejects. */
export async function runCheck(
  check: Check,
  context: RunContext,
  runSignal: AbortSignal,
  redact: Redact,
): Promise<CheckResult> {
  const startedMs = performance.now();
  const decision = await evaluate(check, context, runSignal);
  const { outcome, reason, response, fix } = decision;
  const sent = response?.sent ?? decision.sent;
  return {
    ...identityOf(check),
    outcome,
    durationMs: Math.round(performance.now() - startedMs),
    ...(reason !== undefined && { reason: excerpt(redact(reason), 600) }),
    ...((outcome === 'fail' || outcome === 'error') && {
      ...(sent && { sent: describeRequest(sent, redact) }),
      ...(response && { response: describeResponse(response, redact) }),
      expectation: check.expectation ?? check.title,
      ...(fix !== undefined && { fix }),
    }),
  };
}

/** What a result repeats of its check. */
export function identityOf({ id, endpoint, title, section, weight, certainty }: Check) {
  return { id, endpoint, title, section, weight, certainty, ...sourceOf(id) };
}

async function evaluate(check: Check, context: RunContext, runSignal: AbortSignal): Promise<Decision> {
  const { settings } = context;
  // What an interrupted run has observed can only prove a failure.
  const isObservation = check.phase === 'observations';
  if (runSignal.aborted && !isObservation) return outOfTime(settings, 'before');
  if (check.destructive && !settings.destructive) {
    return { outcome: 'skipped', reason: 'It loads the server. Allow destructive checks to run it.' };
  }
  const timeoutMs = settings.checkTimeoutMs + (check.phase === 'jobs' ? 2 * settings.jobTimeoutMs : 0);
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const decision = await raceAbort(
      attempt(check, context),
      isObservation ? timeout : AbortSignal.any([timeout, runSignal]),
    );
    return isObservation && hasBeenAborted(runSignal) ? outOfTime(settings, 'within') : decision;
  } catch (thrown) {
    if (thrown instanceof Violation) {
      return { outcome: 'fail', reason: thrown.message, response: thrown.response, fix: thrown.fix };
    }
    if (thrown instanceof Skip) return { outcome: 'skipped', reason: sentence(thrown.message) };
    if (hasBeenAborted(runSignal)) return outOfTime(settings, 'within');
    if (thrown instanceof NoResponseError) return { outcome: 'error', reason: thrown.message, sent: thrown.sent };
    if (timeout.aborted) return { outcome: 'error', reason: `It did not finish within ${timeoutMs} ms.` };
    return {
      outcome: 'error',
      reason: `The check itself failed: ${thrown instanceof Error ? thrown.message : 'for no reason'}.`,
    };
  }
}

/** A function, because the value changes while a check is awaited. */
const hasBeenAborted = (runSignal: AbortSignal): boolean => runSignal.aborted;

/** An aborted run skips the check; a run that exceeds its budget is an error. */
function outOfTime({ signal, budgetMs }: Settings, phase: string): Decision {
  return signal.aborted
    ? { outcome: 'skipped', reason: `The run was aborted ${phase === 'before' ? 'before' : 'during'} the check.` }
    : {
        outcome: 'error',
        reason: `The time budget of ${budgetMs} ms ended ${phase === 'before' ? 'before' : 'during'} the check.`,
      };
}

async function attempt(check: Check, context: RunContext): Promise<Decision> {
  if (check.endpoint !== 'http' && !check.id.endsWith(`/${SERVED_CHECK}`)) {
    const serving = await context.probe(check.endpoint);
    if (!serving.served) return { outcome: 'skipped', reason: 'The endpoint is not served.' };
  }
  for (const needed of check.needs) {
    if (!(await context.probe(needed)).served) {
      return { outcome: 'skipped', reason: `It needs ${routeOf(needed)}, which is not served.` };
    }
  }
  return { outcome: 'pass', reason: await check.run(context) };
}

const routeOf = (id: EndpointId): string => `${contract[id].route.method} ${contract[id].route.path}`;

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
