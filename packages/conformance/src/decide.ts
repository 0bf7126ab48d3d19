import { contract } from '@modelwire/schema';
import type { EndpointId } from '@modelwire/schema';
import type { Check } from './check.ts';
import { NoAnswer } from './exchange/answer.ts';
import type { Answer } from './exchange/answer.ts';
import { cameOf, excerpt, shownSent } from './exchange/redact.ts';
import type { Redact } from './exchange/redact.ts';
import { raced } from './exchange/raced.ts';
import type { Settings } from './options.ts';
import type { CheckResult, Outcome, Sent } from './report.ts';
import type { World } from './world/world.ts';
import { Skip, Violation } from './verdict.ts';

interface Decision {
  readonly outcome: Outcome;
  readonly why?: string | undefined;
  readonly answer?: Answer | undefined;
  readonly sent?: Sent | undefined;
  readonly mend?: string | undefined;
}

/** The name of the check that says whether an endpoint is served. */
export const SERVED = 'served';

/** Runs one check within its time. Never rejects. */
export async function decide(check: Check, world: World, ended: AbortSignal, redact: Redact): Promise<CheckResult> {
  const began = performance.now();
  const decision = await decided(check, world, ended);
  const { outcome, why, answer, mend } = decision;
  const sent = answer?.sent ?? decision.sent;
  return {
    id: check.id,
    endpoint: check.endpoint,
    title: check.title,
    section: check.section,
    weight: check.weight,
    certainty: check.certainty,
    outcome,
    durationMs: Math.round(performance.now() - began),
    ...(why !== undefined && { why: excerpt(redact(why), 600) }),
    ...((outcome === 'fail' || outcome === 'error') && {
      ...(sent && { sent: shownSent(sent, redact) }),
      ...(answer && { came: cameOf(answer, redact) }),
      says: check.says ?? check.title,
      ...(mend !== undefined && { mend }),
    }),
  };
}

async function decided(check: Check, world: World, ended: AbortSignal): Promise<Decision> {
  const { settings } = world;
  if (ended.aborted) return late(settings, 'before');
  if (check.destructive && !settings.destructive) {
    return { outcome: 'skipped', why: 'It loads the server: it runs only when destructive checks are allowed.' };
  }
  const timeMs = settings.checkTimeoutMs + (check.job ? 2 * settings.jobTimeoutMs : 0);
  const time = AbortSignal.timeout(timeMs);
  try {
    return await raced(attempt(check, world), AbortSignal.any([time, ended]));
  } catch (thrown) {
    if (thrown instanceof Violation) {
      return { outcome: 'fail', why: thrown.message, answer: thrown.answer, mend: thrown.mend };
    }
    if (thrown instanceof Skip) return { outcome: 'skipped', why: sentence(thrown.message) };
    if (isOver(ended)) return late(settings, 'within');
    if (thrown instanceof NoAnswer) return { outcome: 'error', why: thrown.message, sent: thrown.sent };
    if (time.aborted) return { outcome: 'error', why: `It was not decided in ${timeMs} ms.` };
    return { outcome: 'error', why: `The check itself failed: ${thrown instanceof Error ? thrown.message : 'for no reason'}.` }; // prettier-ignore
  }
}

/** Asked anew: it changes while a check is awaited. */
const isOver = (ended: AbortSignal): boolean => ended.aborted;

/** What its caller ended is nobody's fault; a server that is too slow is. */
function late({ signal, budgetMs }: Settings, when: string): Decision {
  return signal.aborted
    ? { outcome: 'skipped', why: `The run was ended ${when} it.` }
    : { outcome: 'error', why: `The run's time of ${budgetMs} ms was up ${when} it.` };
}

async function attempt(check: Check, world: World): Promise<Decision> {
  if (check.endpoint !== 'http' && !check.id.endsWith(`/${SERVED}`)) {
    const serving = await world.serving(check.endpoint);
    if (!serving.served) return { outcome: 'skipped', why: 'The endpoint is not served.' };
  }
  for (const needed of check.needs) {
    if (!(await world.serving(needed)).served) {
      return { outcome: 'skipped', why: `It takes ${routeOf(needed)}, which is not served.` };
    }
  }
  return { outcome: 'pass', why: await check.run(world) };
}

const routeOf = (id: EndpointId): string => `${contract[id].route.method} ${contract[id].route.path}`;

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
