import { compareFirstTokens, hashText, recentPeak } from '@modelwire/adapter-kit/internal';
import type { Candidate, Route as RouteOf, RoutingSettings } from '@modelwire/adapter-kit/internal';
import type { Target } from '../attempts/attempts.ts';
import type { CircuitBreakers } from '../attempts/circuit-breakers.ts';
import type { Server } from '../connect.ts';
import type { ModelSettings, TargetSettings } from '../presets/settings.ts';

export type RoutedTarget = Target & Candidate;
/** The upstreams of a model. */
export type Route = RouteOf<RoutedTarget>;

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
    const hash = hashText(name);
    return [{ server, upstreamModel, breaker, firstTokens, name, hash, weight, isPaused, inFlight, isSlow }];
  }

  return {
    model: id,
    policy: routing,
    shared: shared.flatMap((target) => createTarget(target, shared.length > 1)),
    fallback: fallback.flatMap((target) => createTarget(target, false)),
    sharedLoad: recentPeak(() => performance.now()),
  };
}

export function targetOf({ shared, fallback }: Route, upstream: string): RoutedTarget | undefined {
  return [...shared, ...fallback].find(({ name }) => name === upstream);
}
