import { draw } from './rendezvous.ts';

export const routingPolicies = ['affinity', 'least-loaded', 'weighted'] as const;

/**
 * How a request chooses among the upstreams of its model. `affinity`: requests with the same key go to the same upstream. `least-loaded`: to
 * the one with the fewest requests in flight for its weight. `weighted`: at random by weight.
 */
export type RoutingPolicy = (typeof routingPolicies)[number];

/** An upstream that a request can be sent to. */
export interface Candidate {
  readonly name: string;
  /** `hashText` of its name. */
  readonly hash: number;
  /** 0: only used if the others cannot be. */
  readonly weight: number;
  /** Requests that have not ended. */
  inFlight(): number;
  /** Whether its circuit breaker permits no request. */
  isPaused(): boolean;
  /** Whether its first tokens take much longer than those of its peers. */
  isSlow(): boolean;
}

export interface RequestRouting {
  readonly policy: RoutingPolicy;
  /** Hash of the request's key; a random one for the policies that have no affinity. */
  readonly key: number;
  /** Default: none. */
  readonly bound?: LoadBound | undefined;
}

/** Limits upstreams to a multiple of their fair share of the requests in flight. */
export interface LoadBound {
  /** An upstream with fewer requests in flight is not limited. */
  readonly minimumInFlight: number;
  /** The load that upstreams share, for the number of requests that are in flight. */
  readonly sharedLoad: (inFlight: number) => number;
}

/** The most that an upstream takes of the requests in flight, in fair shares. */
const maxLoadFactor = 1.25;
const peakHalfLifeMs = 10_000;
/** The part of its weight that a slow upstream keeps: its requests show whether it has recovered. */
const slowWeightFactor = 0.1;

/**
 * The order in which a request tries upstreams: those that share the load, then the fallback in the configured order. Each is chosen when it is
 * asked for. Paused upstreams come last of those that share the load, after those that exceed their share.
 */
export function* attemptOrder<T extends Candidate>(
  shared: readonly T[],
  fallback: readonly T[],
  routing: RequestRouting,
): Generator<T, undefined> {
  const remaining = [...shared];
  while (remaining.length > 1) yield* remaining.splice(indexOfNext(remaining, shared, routing), 1);
  yield* remaining;
  yield* fallback;
}

/** The upstream of a key while no upstream is paused, slow or exceeds its share. */
export function preferredUpstream<T extends Candidate>(shared: readonly T[], key: number): T | undefined {
  let preferred: T | undefined;
  let lowest = Infinity;
  for (const candidate of shared) {
    const drawn = draw(key, candidate.hash);
    if (preferred && leastDistance(candidate.weight, drawn) >= lowest) continue;
    const distance = keyDistance(candidate.weight, drawn);
    if (preferred && distance >= lowest) continue;
    preferred = candidate;
    lowest = distance;
  }
  return preferred;
}

/** Why a request does not go to the upstream of its key. */
export function deviationReason(preferred: Candidate): 'paused' | 'slow' | 'over its share' {
  if (preferred.isPaused()) return 'paused';
  return preferred.isSlow() ? 'slow' : 'over its share';
}

function indexOfNext(
  remaining: readonly Candidate[],
  shared: readonly Candidate[],
  { policy, key, bound }: RequestRouting,
): number {
  let next = 0;
  let lowestRank = Infinity;
  let lowestDistance = Infinity;
  let limitOf: ReturnType<typeof inFlightLimit> | undefined;

  function rankOf(candidate: Candidate): number {
    if (candidate.isPaused()) return 2;
    if (!bound || candidate.inFlight() < bound.minimumInFlight) return 0;
    limitOf ??= inFlightLimit(shared, bound);
    return candidate.inFlight() < limitOf(candidate) ? 0 : 1;
  }

  for (let index = 0; index < remaining.length; index++) {
    const candidate = remaining[index];
    if (!candidate) continue;
    const drawn = draw(key, candidate.hash);
    // Most candidates are farther than the nearest so far: the logarithm and their state are not needed for that.
    if (lowestRank === 0 && policy !== 'least-loaded' && leastDistance(candidate.weight, drawn) >= lowestDistance)
      continue;
    const rank = rankOf(candidate);
    if (rank > lowestRank) continue;
    const weight = currentWeight(candidate);
    const distance = policy === 'least-loaded' ? (candidate.inFlight() + drawn) / weight : keyDistance(weight, drawn);
    if (rank === lowestRank && distance >= lowestDistance) continue;
    next = index;
    lowestRank = rank;
    lowestDistance = distance;
  }
  return next;
}

/** Weighted rendezvous hashing: the lowest distance wins, with a probability in proportion to its weight. */
function keyDistance(weight: number, drawn: number): number {
  return -Math.log(drawn) / weight;
}

/** No more than `keyDistance`, without its logarithm. */
function leastDistance(weight: number, drawn: number): number {
  return (1 - drawn) / weight;
}

/** The most requests in flight that each upstream may have, with one more request than there are. */
function inFlightLimit(
  shared: readonly Candidate[],
  { minimumInFlight, sharedLoad }: LoadBound,
): (candidate: Candidate) => number {
  let inFlight = 1;
  let weights = 0;
  for (const candidate of shared) {
    if (candidate.isPaused()) continue;
    inFlight += candidate.inFlight();
    weights += currentWeight(candidate);
  }
  if (weights === 0) return () => Infinity;
  const share = (maxLoadFactor * sharedLoad(inFlight)) / weights;
  return (candidate) => Math.max(minimumInFlight, Math.ceil(share * currentWeight(candidate)));
}

/**
 * The highest number of the last seconds, which halves every ten. Turns of conversations arrive in bursts: compared with the number of
 * this moment, an upstream would exceed its share whenever others pause.
 *
 * @param now Milliseconds of a monotonic clock.
 */
export function recentPeak(now: () => number): (value: number) => number {
  let peak = 0;
  let peakAt = now();
  return (value) => {
    const elapsedMs = now() - peakAt;
    peakAt += elapsedMs;
    peak = Math.max(value, peak * 2 ** (-elapsedMs / peakHalfLifeMs));
    return peak;
  };
}

function currentWeight(candidate: Candidate): number {
  return candidate.isSlow() ? candidate.weight * slowWeightFactor : candidate.weight;
}
