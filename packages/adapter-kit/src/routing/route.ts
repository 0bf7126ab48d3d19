import type { EngineContext } from '@modelwire/ports';
import { attemptOrder, deviationReason, preferredUpstream } from './attempt-order.ts';
import type { Candidate, RoutingPolicy } from './attempt-order.ts';
import { randomHash } from './rendezvous.ts';
import { routingKey } from './routing-key.ts';

/** How requests choose among the upstreams of a model. */
export interface RoutingOptions {
  /** An upstream with at least so many requests in flight takes at most 1.25 of its fair share. Default: 8. */
  readonly minimumInFlight?: number | undefined;
  /**
   * The key of a request that names none is made of its model, tools, system messages and first user message: the maximum number of characters
   * of each of them. Default: 2,048.
   */
  readonly keyPartLength?: number | undefined;
  /** Called for each request that does not go to the upstream of its key. Must not throw. */
  readonly onDeviation?: ((deviation: RoutingDeviation) => void) | undefined;
  /** Called when the first tokens of an upstream become much slower than those of its peers, and when it has recovered. Must not throw. */
  readonly onSlowChange?: ((change: SlowUpstreamChange) => void) | undefined;
}

export interface RoutingSettings extends RoutingOptions {
  readonly minimumInFlight: number;
  readonly keyPartLength: number;
}

export const defaultRouting = { minimumInFlight: 8, keyPartLength: 2048 } as const satisfies RoutingSettings;

export interface RoutingDeviation {
  readonly requestId: string;
  /** The ID that clients use. */
  readonly model: string;
  /** The upstream of the key. */
  readonly preferred: string;
  /** The upstream that is tried first. */
  readonly upstream: string;
  readonly reason: 'paused' | 'slow' | 'over its share';
}

export interface SlowUpstreamChange {
  readonly upstream: string;
  /** The ID that clients use. */
  readonly model: string;
  readonly isSlow: boolean;
}

/** What requests for a model can be sent to. */
export interface Route<Target extends Candidate> {
  /** The ID that clients use. */
  readonly model: string;
  readonly policy: RoutingPolicy;
  readonly shared: readonly Target[];
  readonly fallback: readonly Target[];
  readonly sharedLoad: (inFlight: number) => number;
}

interface Routed<Target> {
  /** In the order in which they are tried, each read when it is needed. */
  readonly targets: Iterable<Target>;
  /** Hash of the key; undefined if nothing depends on it. */
  readonly routingKey?: number | undefined;
}

/** @param context Undefined for a request without a key, which any of the targets may get. */
export function routeRequest<Target extends Candidate>(
  { model, policy, shared, fallback, sharedLoad }: Route<Target>,
  { minimumInFlight, keyPartLength, onDeviation }: RoutingSettings,
  context?: EngineContext,
): Routed<Target> {
  if (shared.length < 2) return { targets: [...shared, ...fallback] };
  const key = context && routingKey(context, keyPartLength);
  const affinityKey = policy === 'affinity' ? key : undefined;
  const bound = policy === 'affinity' ? { minimumInFlight, sharedLoad } : undefined;
  const targets = attemptOrder(shared, fallback, { policy, key: affinityKey ?? randomHash(), bound });
  const preferred = affinityKey === undefined ? undefined : preferredUpstream(shared, affinityKey);
  if (!context || !preferred || !onDeviation) return { targets, routingKey: key };
  const { requestId } = context;
  const onFirst = (first: Target): void => {
    if (first === preferred) return;
    const reason = deviationReason(preferred);
    onDeviation({ requestId, model, preferred: preferred.name, upstream: first.name, reason });
  };
  return { targets: withFirst(targets, onFirst), routingKey: key };
}

/** The same targets; calls `onFirst` with the first one. */
function* withFirst<Target>(
  targets: Iterable<Target>,
  onFirst: (target: Target) => void,
): Generator<Target, undefined> {
  let isFirst = true;
  for (const target of targets) {
    if (isFirst) onFirst(target);
    isFirst = false;
    yield target;
  }
}
