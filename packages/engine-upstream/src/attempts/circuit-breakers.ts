import { optionChecks } from '../presets/option-checks.ts';
import { createCircuitBreaker } from '@modelwire/adapter-kit/internal';
import type { CircuitBreaker, CircuitState } from '@modelwire/adapter-kit/internal';

/**
 * When an upstream is paused for a model. Connections that are refused or break, timeouts, the statuses 502, 503, 504 and 529, and
 * malformed responses count as failures; every other status, 500 included, answers its request only.
 */
export interface CircuitBreakerOptions {
  /** Consecutive failures, each of another request, that open the circuit. Default: 5. */
  readonly failures?: number;
  /** Milliseconds that it stays open. Then one request, the probe, decides whether it closes. Default: 10,000. */
  readonly cooldownMs?: number;
  /** Called at each change of state. Must not throw. */
  readonly onStateChange?: (circuit: Circuit) => void;
}

/** The state of the circuit breaker of one model of one upstream. */
export interface Circuit {
  /** Name of the upstream. */
  readonly upstream: string;
  /** The model's name there. */
  readonly model: string;
  readonly state: CircuitState;
  /** Milliseconds until a request can probe the upstream; 0 unless the state is `open`. */
  readonly retryAfterMs: number;
  /** The last failure, such as `ECONNREFUSED` or `status 503`; undefined if there was none since the last success. */
  readonly lastFailure: string | undefined;
}

/** The circuit breakers of all upstreams. Engines that share them share their state. */
export interface CircuitBreakers {
  /** The circuit breaker of a model of an upstream: the same one for the same names. */
  get(upstream: string, model: string): CircuitBreaker;
  /** The state of every circuit breaker, for logs, health checks and metrics. */
  circuits(): readonly Circuit[];
}

/** Creates circuit breakers, one for each model of each upstream. @throws a `TypeError` that names the option. */
export function createCircuitBreakers(options: CircuitBreakerOptions = {}): CircuitBreakers {
  optionChecks.object('circuitBreaker', options, ['failures', 'cooldownMs', 'onStateChange']);
  const failures = optionChecks.integer('circuitBreaker.failures', options.failures ?? 5, 1);
  const cooldownMs = optionChecks.integer('circuitBreaker.cooldownMs', options.cooldownMs ?? 10_000, 1);
  const { onStateChange } = options;
  const byUpstream = new Map<string, Map<string, CircuitBreaker>>();

  function create(upstream: string, model: string): CircuitBreaker {
    return createCircuitBreaker({
      failures,
      cooldownMs,
      now: () => performance.now(),
      ...(onStateChange && {
        onStateChange: (state, lastFailure) =>
          onStateChange({ upstream, model, state, retryAfterMs: state === 'open' ? cooldownMs : 0, lastFailure }),
      }),
    });
  }

  return {
    get(upstream, model) {
      let byModel = byUpstream.get(upstream);
      if (!byModel) byUpstream.set(upstream, (byModel = new Map<string, CircuitBreaker>()));
      let breaker = byModel.get(model);
      if (!breaker) byModel.set(model, (breaker = create(upstream, model)));
      return breaker;
    },
    circuits: () =>
      [...byUpstream].flatMap(([upstream, byModel]) =>
        [...byModel].map(([model, breaker]) => ({
          upstream,
          model,
          state: breaker.state(),
          retryAfterMs: breaker.retryAfterMs(),
          lastFailure: breaker.lastFailure(),
        })),
      ),
  };
}
