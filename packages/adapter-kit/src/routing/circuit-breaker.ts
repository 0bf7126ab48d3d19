/**
 * `closed`: requests pass. `open`: the upstream is paused after consecutive failures. `half-open`: the pause has ended, and one request, the
 * probe, decides whether the circuit closes or opens again.
 */
export type CircuitState = 'closed' | 'open' | 'half-open';

/** Stops sending requests to an upstream that fails. */
export interface CircuitBreaker {
  /** A permit for one attempt; undefined while the circuit is open, or half-open with a probe in progress. */
  acquire(): Permit | undefined;
  /** Milliseconds until the circuit is half-open; 0 unless it is open. */
  retryAfterMs(): number;
  state(): CircuitState;
  /** The last counted failure; undefined if there was none since the last success. */
  lastFailure(): string | undefined;
  /** Whether `acquire` would return no permit. */
  isPaused(): boolean;
  /** Number of permits without a final report. */
  inFlight(): number;
}

/** Reports how an attempt ended. After the first final report (`succeeded`, `failed`, `released`), further ones have no effect. */
export interface Permit {
  /** The headers of a successful response arrived. Closes a half-open circuit immediately, since a stream may last for minutes. */
  responded(): void;
  /** The upstream replied: resets the count of consecutive failures. */
  succeeded(): void;
  failed(reason: string): void;
  /** The attempt is inconclusive, for instance because the client disconnected. */
  released(): void;
}

export interface CircuitBreakerInit {
  /** Consecutive failures that open the circuit. */
  readonly failures: number;
  /** Duration of the open state. */
  readonly cooldownMs: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** `reason`: the failure that opened the circuit. */
  readonly onStateChange?: (state: CircuitState, reason: string | undefined) => void;
}

export function createCircuitBreaker({ failures, cooldownMs, now, onStateChange }: CircuitBreakerInit): CircuitBreaker {
  let state: CircuitState = 'closed';
  let consecutiveFailures = 0;
  let lastFailure: string | undefined;
  let openUntil = 0;
  /** Reports of attempts that started in an earlier state are ignored as outdated. */
  let generation = 0;
  let isProbing = false;
  let inFlight = 0;

  function changeTo(next: CircuitState): void {
    state = next;
    generation += 1;
    isProbing = false;
    consecutiveFailures = 0;
    if (next === 'open') openUntil = now() + cooldownMs;
    if (next === 'closed') lastFailure = undefined;
    onStateChange?.(next, next === 'open' ? lastFailure : undefined);
  }

  function createPermit(): Permit {
    let acquiredGeneration = generation;
    let isReported = false;
    inFlight += 1;
    const report = (apply: () => void): void => {
      if (isReported) return;
      isReported = true;
      inFlight -= 1;
      if (acquiredGeneration === generation) apply();
    };
    return {
      responded() {
        if (isReported || acquiredGeneration !== generation || state !== 'half-open') return;
        changeTo('closed');
        acquiredGeneration = generation;
      },
      succeeded: () =>
        report(() => {
          if (state === 'half-open') changeTo('closed');
          consecutiveFailures = 0;
          lastFailure = undefined;
        }),
      failed: (reason) =>
        report(() => {
          consecutiveFailures += 1;
          lastFailure = reason;
          if (state === 'half-open' || consecutiveFailures >= failures) changeTo('open');
        }),
      released: () =>
        report(() => {
          isProbing = false;
        }),
    };
  }

  return {
    acquire() {
      if (state === 'open' && now() >= openUntil) changeTo('half-open');
      if (state === 'open' || isProbing) return undefined;
      isProbing = state === 'half-open';
      return createPermit();
    },
    retryAfterMs: () => (state === 'open' ? Math.max(0, openUntil - now()) : 0),
    state: () => state,
    lastFailure: () => lastFailure,
    isPaused: () => isProbing || (state === 'open' && now() < openUntil),
    inFlight: () => inFlight,
  };
}

/** Reports the end of an attempt with a reply. `fault`: why the reply counts as a failure of the upstream, if it does. */
export function reportReply(permit: Permit, fault: string | undefined): void {
  if (fault === undefined) permit.succeeded();
  else permit.failed(fault);
}
