/** The times to the first token of one of several upstreams that serve the same model. */
export interface FirstTokenTimes {
  /** Adds the time of a request. The first one of a key does not count: the upstream evaluates its whole prompt. */
  add(key: number, ms: number): void;
  /** Whether they are much longer than those of the other upstreams. */
  isSlow(): boolean;
}

export interface FirstTokenComparison {
  /** Adds an upstream. `onChange` is called when it becomes slow and when it has recovered. */
  join(onChange?: (isSlow: boolean) => void): FirstTokenTimes;
}

/** Number of requests that the moving average covers, and that must be known of an upstream before it is compared. */
const windowSize = 20;
const slowFactor = 3;
/** A longer time counts as so many times that of the peers, or as twice the least difference more: a single outlier does not make an upstream slow. */
const maxFactor = 4;
/** Smaller differences do not matter. */
const minDifferenceMs = 50;
/** A slow upstream is judged again by the requests of each such period. Without any, it counts as recovered. */
const probePeriodMs = 20_000;
/** Maximum number of keys that are remembered for each upstream. */
const maxKeys = 10_000;

interface Member {
  averageMs: number;
  count: number;
  /** When the current period of a slow upstream began. */
  slowSince: number | undefined;
}

/**
 * Compares the upstreams of a model by an exponential moving average of their times to the first token.
 *
 * @param now Milliseconds of a monotonic clock.
 */
export function compareFirstTokens(now: () => number): FirstTokenComparison {
  const members: Member[] = [];

  /** The mean of the averages of the others that are not slow; undefined if none has enough requests. */
  function peerAverageMs(member: Member): number | undefined {
    let sum = 0;
    let count = 0;
    for (const peer of members) {
      if (peer === member || peer.slowSince !== undefined || peer.count < windowSize) continue;
      sum += peer.averageMs;
      count += 1;
    }
    return count === 0 ? undefined : sum / count;
  }

  function isSlower(member: Member): boolean {
    const peersMs = peerAverageMs(member);
    if (peersMs === undefined) return false;
    return member.averageMs > slowFactor * peersMs && member.averageMs - peersMs > minDifferenceMs;
  }

  function join(onChange?: (isSlow: boolean) => void): FirstTokenTimes {
    const member: Member = { averageMs: 0, count: 0, slowSince: undefined };
    const keys = new Set<number>();
    members.push(member);

    function startPeriod(): void {
      member.slowSince = now();
      member.count = 0;
    }
    function isSlow(): boolean {
      if (member.slowSince === undefined || now() - member.slowSince < probePeriodMs)
        return member.slowSince !== undefined;
      if (member.count > 0 && isSlower(member)) startPeriod();
      else {
        member.slowSince = undefined;
        member.count = 0;
        onChange?.(false);
      }
      return member.slowSince !== undefined;
    }
    return {
      isSlow,
      add(key, ms) {
        const isKnown = keys.delete(key);
        keys.add(key);
        if (keys.size > maxKeys) for (const oldest of keys) if (keys.delete(oldest)) break;
        if (!isKnown) return;
        member.count += 1;
        const peersMs = peerAverageMs(member) ?? Infinity;
        const boundedMs = Math.min(ms, Math.max(maxFactor * peersMs, peersMs + 2 * minDifferenceMs));
        member.averageMs += (boundedMs - member.averageMs) / Math.min(member.count, (windowSize + 1) / 2);
        if (isSlow() || member.count < windowSize || !isSlower(member)) return;
        startPeriod();
        onChange?.(true);
      },
    };
  }
  return { join };
}
