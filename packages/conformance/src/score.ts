import { contract } from '@modelwire/schema';
import { isExtension, isMessages } from './checks/shape.ts';
import type { SubjectId } from './check.ts';
import type { Certainty, CheckResult, ConformanceReport, Counts, EndpointScore } from './report.ts';

const CERTAINTY_FACTORS: Readonly<Record<Certainty, number>> = { sure: 1, likely: 0.5, opinion: 0 };

/** The weight of an endpoint: those in the document count more than their companions, and chat most. Another API has scores of its own. */
function endpointWeight(id: SubjectId): number {
  if (id === 'http') return 3;
  if (isExtension(id) || isMessages(id)) return 0;
  if (id === 'chat.completions.create') return 9;
  return contract[id].section === 'companion' ? 1 : 3;
}

export function countOutcomes(results: readonly CheckResult[]): Counts {
  const count = (outcome: CheckResult['outcome']): number => results.filter((one) => one.outcome === outcome).length;
  return { pass: count('pass'), fail: count('fail'), skipped: count('skipped'), error: count('error') };
}

/** Points scored of those possible: skipped checks have none, checks with errors score none. */
function scoreShare(results: readonly CheckResult[]): number | undefined {
  let scored = 0;
  let possible = 0;
  for (const { outcome, weight, certainty } of results) {
    if (outcome === 'skipped') continue;
    const points = weight * CERTAINTY_FACTORS[certainty];
    possible += points;
    if (outcome === 'pass') scored += points;
  }
  return possible === 0 ? undefined : scored / possible;
}

/** An endpoint that is not served, or fails a valid request, scores nothing for rejecting invalid ones. */
function endpointShare(
  id: string,
  served: boolean | undefined,
  results: readonly CheckResult[],
  scoredResults: readonly CheckResult[] = results,
): number | undefined {
  const statusOutcome = results.find((result) => result.id === `${id}/status`)?.outcome;
  return served === false || statusOutcome === 'fail' || statusOutcome === 'error' ? 0 : scoreShare(scoredResults);
}

/** Rounded down, so that 100 means all. */
const percent = (share: number | undefined): number | null =>
  share === undefined ? null : Math.floor(share * 1000 + 1e-9) / 10;

export function scoreEndpoint(
  id: SubjectId,
  results: readonly CheckResult[],
  served: boolean | undefined,
): EndpointScore {
  const endpoint = id === 'http' ? undefined : contract[id];
  return {
    id,
    route: endpoint ? `${endpoint.route.method} ${endpoint.route.path}` : '',
    section: endpoint?.section ?? 'Authentication; Errors',
    served,
    score: percent(endpointShare(id, served, results)),
    weight: endpointWeight(id),
    counts: countOutcomes(results),
  };
}

/** The mean of endpoints by weight. */
export function scoreAll(
  endpoints: readonly EndpointScore[],
  results: readonly CheckResult[],
): ConformanceReport['score'] {
  const meanScore = (
    selected: readonly EndpointScore[],
    isCounted: (result: CheckResult) => boolean,
  ): number | null => {
    let sum = 0;
    let weights = 0;
    for (const { id, weight, served } of selected) {
      const ownResults = results.filter(({ endpoint }) => endpoint === id);
      const share = endpointShare(id, served, ownResults, ownResults.filter(isCounted));
      if (share === undefined) continue;
      sum += share * weight;
      weights += weight;
    }
    return weights === 0 ? null : percent(sum / weights);
  };
  const served = endpoints.filter((one) => one.served !== false);
  return {
    all: meanScore(endpoints, () => true),
    served: meanScore(served, () => true),
    sure: meanScore(served, ({ certainty }) => certainty === 'sure'),
  };
}
