import { setTimeout as sleep } from 'node:timers/promises';
import type { Circuit, CircuitBreakers } from '@modelwire/engine-upstream';
import type { UpstreamChecks, UpstreamStatus, UpstreamStatuses } from './upstream-status.ts';

/** What `/readyz` says about upstreams. */
interface UpstreamReport {
  /** `unavailable`: no upstream can be used. `degraded`: one cannot, or is paused for a model. */
  readonly status: 'ok' | 'degraded' | 'unavailable';
  /** The upstreams that cannot be used. */
  readonly upstreams?: readonly UpstreamStatus[];
  /** The circuits that are not closed. */
  readonly circuits?: readonly Circuit[];
}

export interface UpstreamHealth {
  /** Asks the upstreams again if the last answers are older than some seconds. */
  report(): Promise<UpstreamReport>;
  /** The last checks of all upstreams. */
  checks(): readonly UpstreamChecks[];
  /** What is known of each upstream, without asking it. */
  statuses(): readonly UpstreamStatus[];
  /** The state of the circuit breaker of each model of each upstream, for metrics. */
  circuits(): readonly Circuit[];
}

export interface UpstreamHealthInit {
  readonly statuses: UpstreamStatuses;
  readonly circuitBreakers: CircuitBreakers;
  readonly refresh: () => Promise<void>;
  /** Whether this server has models that need no upstream. */
  readonly canServeWithout: boolean;
}

/** Probes time out early: a slow upstream is reported as it was known last. */
const maxWaitMs = 1000;

export function createUpstreamHealth(init: UpstreamHealthInit): UpstreamHealth {
  const { statuses, circuitBreakers, refresh, canServeWithout } = init;
  return {
    async report() {
      await waitAtMost(maxWaitMs, refresh());
      const upstreams = statuses.all().filter(({ status }) => status !== 'available' && status !== 'unknown');
      const circuits = circuitBreakers.circuits().filter(({ state }) => state !== 'closed');
      const isDegraded = upstreams.length > 0 || circuits.length > 0;
      return {
        status: !canServeWithout && !statuses.isAnyUsable() ? 'unavailable' : isDegraded ? 'degraded' : 'ok',
        ...(upstreams.length > 0 && { upstreams }),
        ...(circuits.length > 0 && { circuits }),
      };
    },
    checks: () => statuses.checks(),
    statuses: () => statuses.all(),
    circuits: () => circuitBreakers.circuits(),
  };
}

export async function waitAtMost(ms: number, done: Promise<void>): Promise<void> {
  const timeout = new AbortController();
  try {
    await Promise.race([done, sleep(ms, undefined, { signal: timeout.signal, ref: false })]);
  } finally {
    timeout.abort();
  }
}
