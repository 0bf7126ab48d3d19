import type { EngineContext } from '@modelwire/ports';
import type { Call, Target } from '../attempts/attempts.ts';
import type { CircuitBreakers } from '../attempts/circuit-breakers.ts';
import type { Server } from '../connect.ts';
import type { ModelSettings, RoutingSettings, TargetSettings } from '../presets/settings.ts';
import { attemptOrder, deviationReason, preferredUpstream, recentPeak } from './attempt-order.ts';
import type { Candidate, RoutingPolicy } from './attempt-order.ts';
import { compareFirstTokens } from './first-token-times.ts';
import { hashText, randomHash } from './rendezvous.ts';
import { routingKey } from './routing-key.ts';

export type RoutedTarget = Target & Candidate;

/** The upstreams of a model. */
export interface Route {
  /** The ID that clients use. */
  readonly model: string;
  readonly policy: RoutingPolicy;
  readonly shared: readonly RoutedTarget[];
  readonly fallback: readonly RoutedTarget[];
  readonly sharedLoad: (inFlight: number) => number;
}

interface RouteInit {
  readonly servers: ReadonlyMap<string, Server>;
  readonly circuitBreakers: CircuitBreakers;
  readonly options: RoutingSettings;
}

export function createRoute(
  { model: { id }, routing, shared, fallback }: ModelSettings,
  { servers, circuitBreakers, options }: RouteInit,
): Route {
  const comparison = compareFirstTokens(() => performance.now());

  function createTarget({ server: name, weight, upstreamModel }: TargetSettings, isCompared: boolean): RoutedTarget[] {
    const server = servers.get(name);
    if (server === undefined) return [];
    const breaker = circuitBreakers.get(name, upstreamModel);
    const onChange = (isSlow: boolean): void => options.onSlowChange?.({ upstream: name, model: id, isSlow });
    const firstTokens = isCompared ? comparison.join(onChange) : undefined;
    const { isPaused, inFlight } = breaker;
    const isSlow = (): boolean => firstTokens?.isSlow() === true;
    return [{ server, upstreamModel, breaker, firstTokens, hash: hashText(name), weight, isPaused, inFlight, isSlow }];
  }

  return {
    model: id,
    policy: routing,
    shared: shared.flatMap((target) => createTarget(target, shared.length > 1)),
    fallback: fallback.flatMap((target) => createTarget(target, false)),
    sharedLoad: recentPeak(() => performance.now()),
  };
}

/**
 * The upstreams of a request in the order in which they are tried.
 *
 * @param context Undefined for a request without a key, which any of the upstreams may get.
 */
export function routeRequest(
  { model, policy, shared, fallback, sharedLoad }: Route,
  { minimumInFlight, keyPartLength, onDeviation }: RoutingSettings,
  context?: EngineContext,
): Pick<Call, 'targets' | 'routingKey'> {
  if (shared.length < 2) return { targets: [...shared, ...fallback] };
  const key = context && routingKey(context, keyPartLength);
  const affinityKey = policy === 'affinity' ? key : undefined;
  const bound = policy === 'affinity' ? { minimumInFlight, sharedLoad } : undefined;
  const targets = attemptOrder(shared, fallback, { policy, key: affinityKey ?? randomHash(), bound });
  const preferred = affinityKey === undefined ? undefined : preferredUpstream(shared, affinityKey);
  if (!context || !preferred || !onDeviation) return { targets, routingKey: key };
  const { requestId } = context;
  const onFirst = (first: RoutedTarget): void => {
    if (first === preferred) return;
    const reason = deviationReason(preferred);
    onDeviation({ requestId, model, preferred: nameOf(preferred), upstream: nameOf(first), reason });
  };
  return { targets: withFirst(targets, onFirst), routingKey: key };
}

/** The same targets; calls `onFirst` with the first one. */
function* withFirst(
  targets: Iterable<RoutedTarget>,
  onFirst: (target: RoutedTarget) => void,
): Generator<RoutedTarget, undefined> {
  let isFirst = true;
  for (const target of targets) {
    if (isFirst) onFirst(target);
    isFirst = false;
    yield target;
  }
}

function nameOf({ server }: RoutedTarget): string {
  return server.settings.name;
}
