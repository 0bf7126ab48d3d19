import { RequestError, modelNotFound } from '@modelwire/ports';
import { intersectCapabilities } from '@modelwire/ports/internal';
import type {
  BatchProvider,
  ChatCapabilities,
  ChatEngine,
  ChatEvent,
  ChatEvents,
  ChatModel,
  EngineContext,
  TextCompletionSupport,
} from '@modelwire/ports';
import { recentPeak } from './attempt-order.ts';
import type { Candidate, RoutingPolicy } from './attempt-order.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { compareFirstTokens } from './first-token-times.ts';
import type { FirstTokenTimes } from './first-token-times.ts';
import { hashText } from './rendezvous.ts';
import { defaultRouting, routeRequest } from './route.ts';
import type { Route, RoutingOptions } from './route.ts';

/** An engine that may share models with others. */
export interface RoutedEngine {
  /** Determines which keys it has, and is reported as the upstream of a request. Different for each engine. */
  readonly name: string;
  readonly engine: ChatEngine;
  /** Its share of the requests for a model. Default: 1. */
  readonly weightOf?: ((model: string) => number) | undefined;
}

export interface RouteEnginesOptions extends RoutingOptions {
  /** Default: `affinity` for each model. */
  readonly policyOf?: ((model: string) => RoutingPolicy | undefined) | undefined;
}

interface Target extends Candidate {
  readonly engine: ChatEngine;
  readonly breaker: CircuitBreaker;
  readonly firstTokens: FirstTokenTimes;
}

/** Statuses of an engine that cannot be reached or has no capacity, after which another one is tried. */
const unavailableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const breakerOptions = { failures: 5, cooldownMs: 10_000, now: () => performance.now() };

/**
 * An engine that serves the models that several engines have, and shares their requests among these engines as upstreams share those of a
 * model. Its models have the capabilities that all of them have. List it before the engines, which still serve their other models.
 */
export function routeEngines(engines: readonly RoutedEngine[], options: RouteEnginesOptions = {}): ChatEngine {
  const { policyOf, ...routing } = options;
  const settings = { ...defaultRouting, ...routing };
  const routes = new Map<string, Route<Target>>();
  let lists: readonly (readonly ChatModel[])[] = [];
  let models: readonly ChatModel[] = [];

  /** The engines that have a model, with their description of it. */
  function serving(id: string): readonly (readonly [RoutedEngine, ChatModel])[] {
    return engines.flatMap((routed, index) => {
      const model = lists[index]?.find((one) => one.id === id && one.dialect === undefined);
      return model ? [[routed, model] as const] : [];
    });
  }
  function sharedModels(): readonly ChatModel[] {
    const current = engines.map(({ engine }) => engine.models());
    if (current.every((list, index) => list === lists[index])) return models;
    lists = current;
    routes.clear();
    const ids = new Set(current.flat().map(({ id }) => id));
    models = [...ids].flatMap((id) => {
      const all = serving(id);
      const [first] = all;
      return first && all.length > 1
        ? [
            commonModel(
              first[1],
              all.map(([, model]) => model.capabilities),
            ),
          ]
        : [];
    });
    return models;
  }
  function routeOf(model: string): Route<Target> {
    sharedModels();
    let route = routes.get(model);
    if (!route) routes.set(model, (route = createRoute(model)));
    return route;
  }
  function createRoute(model: string): Route<Target> {
    const comparison = compareFirstTokens(() => performance.now());
    const shared = serving(model).map(([{ name, engine, weightOf }]): Target => {
      const breaker = createCircuitBreaker(breakerOptions);
      const firstTokens = comparison.join((isSlow) => settings.onSlowChange?.({ upstream: name, model, isSlow }));
      const { isPaused, inFlight } = breaker;
      const weight = weightOf?.(model) ?? 1;
      return {
        name,
        engine,
        breaker,
        firstTokens,
        hash: hashText(name),
        weight,
        isPaused,
        inFlight,
        isSlow: firstTokens.isSlow,
      };
    });
    if (shared.length === 0) throw modelNotFound(model);
    const policy = policyOf?.(model) ?? 'affinity';
    return { model, policy, shared, fallback: [], sharedLoad: recentPeak(() => performance.now()) };
  }

  async function* run(
    context: EngineContext,
    start: (engine: ChatEngine) => ChatEvents | undefined,
  ): AsyncGenerator<readonly ChatEvent[], void, undefined> {
    const route = forLine(routeOf(context.model.id), context);
    // An engine with fewer sequences than the minimum is full before it reaches it.
    const minimumInFlight = Math.min(
      settings.minimumInFlight,
      ...route.shared.map(({ engine }) => engine.concurrency ?? Infinity),
    );
    const { targets, routingKey } = routeRequest(route, { ...settings, minimumInFlight }, context);
    let unavailable: RequestError | undefined;
    for (const target of targets) {
      const permit = target.breaker.acquire();
      if (!permit) continue;
      const startedAt = performance.now();
      let hasStarted = false;
      if (target.engine.isRemote !== true) context.reportUpstream?.(target.name);
      try {
        for await (const events of start(target.engine) ?? []) {
          const list = 'type' in events ? [events] : events;
          if (!hasStarted && list.some(isOutput)) {
            hasStarted = true;
            permit.responded();
            if (routingKey !== undefined && !context.batchLine?.exchange)
              target.firstTokens.add(routingKey, performance.now() - startedAt);
          }
          yield list;
        }
        permit.succeeded();
        return;
      } catch (error) {
        const isUnavailable = error instanceof RequestError && unavailableStatuses.has(error.status);
        if (!isUnavailable || hasStarted || context.signal.aborted) throw error;
        // One that has no capacity now is not broken.
        if (error.status !== 429) permit.failed(`status ${error.status}`);
        unavailable = error;
      } finally {
        permit.released();
      }
    }
    throw unavailable ?? allPaused(route);
  }

  /** The providers of engines whose lines other engines run, too. */
  function batchProviders(model: string): readonly BatchProvider[] {
    const ofEngines = routeOf(model).shared.map(({ engine }) => engine.batchProviders?.(model) ?? []);
    const hasOthers = ofEngines.some((providers) => providers.length === 0);
    return ofEngines.flat().map((provider) => ({ ...provider, hasOwnCapacity: provider.hasOwnCapacity || hasOthers }));
  }

  const all = engines.map(({ engine }) => engine);
  const supports = all.map(({ textCompletions }) => textCompletions);
  const concurrencies = all.map(({ concurrency }) => concurrency);
  return {
    name: 'routed',
    isRemote: all.some(({ isRemote }) => isRemote === true),
    models: sharedModels,
    generate: (request, context) => run(context, (engine) => engine.generate(request, context)),
    ...(supports.every((support) => support !== undefined) && {
      textCompletions: commonSupport(supports),
      complete: (request, context) => run(context, (engine) => engine.complete?.(request, context)),
    }),
    ...(all.some((engine) => engine.batchProviders) && { batchProviders }),
    ...(concurrencies.every((one) => one !== undefined) && {
      concurrency: concurrencies.reduce((sum, one) => sum + one, 0),
    }),
  };
}

/** The engines for a line of a batch: that of its provider, or else those that run lines themselves. */
function forLine(route: Route<Target>, { model, batchLine }: EngineContext): Route<Target> {
  if (!batchLine) return route;
  const { exchange } = batchLine;
  const shared = route.shared.filter(({ engine }) => {
    const providers = engine.batchProviders?.(model.id) ?? [];
    if (exchange) return providers.some(({ upstream }) => upstream === exchange.upstream);
    return providers.length === 0 || providers.some(({ hasOwnCapacity }) => hasOwnCapacity);
  });
  return shared.length === 0 ? route : { ...route, shared };
}

function isOutput({ type }: ChatEvent): boolean {
  return type !== 'meta' && type !== 'usage';
}

function commonModel(first: ChatModel, all: readonly ChatCapabilities[]): ChatModel {
  const { id, created, owned_by } = first;
  return Object.freeze({
    id,
    created,
    owned_by,
    capabilities: all.reduce((one, other) => intersectCapabilities(one, other)),
  });
}

function commonSupport(all: readonly TextCompletionSupport[]): TextCompletionSupport {
  return {
    tokens: all.every(({ tokens }) => tokens),
    suffix: all.every(({ suffix }) => suffix),
    echo: (model) => all.every(({ echo }) => echo?.(model) === true),
  };
}

function allPaused({ model, shared }: Route<Target>): RequestError {
  const seconds = Math.ceil(Math.min(...shared.map(({ breaker }) => breaker.retryAfterMs())) / 1000);
  const message = `The engines of the model '${model}' failed repeatedly and are paused. Retry in ${Math.max(1, seconds)} s.`;
  return new RequestError(message, {
    status: 503,
    code: 'upstream_unavailable',
    headers: { 'retry-after': String(Math.max(1, seconds)) },
  });
}
