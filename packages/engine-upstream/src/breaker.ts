/** Leaves a failing server alone: closed, open after failures in a row, half-open after the cooldown, when one request tries. */
export interface Breaker {
  /** A permit for one attempt; undefined while the server is to be left alone. */
  enter(): Permit | undefined;
  /** Milliseconds until it lets a request through again; 0 unless open. */
  remaining(): number;
}

/** What an attempt reports back. Reports after the first final one (`succeeded`, `failed`, `left`) do nothing. */
export interface Permit {
  /** The reply has begun: enough for a try in the half-open state, since a stream may last for minutes. */
  answered(): void;
  /** The reply is complete: the row of failures ends. */
  succeeded(): void;
  failed(): void;
  /** The caller left: says nothing about the server. */
  left(): void;
}

export interface BreakerInit {
  readonly failures: number;
  readonly cooldownMs: number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

export function createBreaker({ failures, cooldownMs, now }: BreakerInit): Breaker {
  let state: 'closed' | 'open' | 'half-open' = 'closed';
  let inRow = 0;
  let openUntil = 0;
  /** Attempts of an earlier state no longer count: one that began before the breaker opened says nothing about now. */
  let generation = 0;
  let trying = false;

  function move(to: typeof state): void {
    state = to;
    generation += 1;
    trying = false;
    inRow = 0;
    if (to === 'open') openUntil = now() + cooldownMs;
  }

  function permit(): Permit {
    let mine = generation;
    let open = true;
    const final = (report: () => void) => () => {
      if (!open) return;
      open = false;
      if (mine === generation) report();
    };
    const answered = (): void => {
      if (!open || mine !== generation || state !== 'half-open') return;
      move('closed');
      mine = generation;
    };
    return {
      answered,
      succeeded: final(() => {
        if (state === 'half-open') move('closed');
        else inRow = 0;
      }),
      failed: final(() => {
        inRow += 1;
        if (state === 'half-open' || inRow >= failures) move('open');
      }),
      left: final(() => {
        trying = false;
      }),
    };
  }

  return {
    enter() {
      if (state === 'open' && now() >= openUntil) move('half-open');
      if (state === 'open' || trying) return undefined;
      trying = state === 'half-open';
      return permit();
    },
    remaining: () => (state === 'open' ? Math.max(0, openUntil - now()) : 0),
  };
}
