import type { Clock } from '@modelwire/ports';

/**
 * How many batch lines of a model may run at once. As in TCP, the limit grows until there is a sign of congestion and is then reduced by a
 * factor, so that servers which share an engine and know nothing of each other converge to equal shares.
 *
 * It doubles with each round until the first sign, then grows by one. A round is about as many lines as the limit. A line or request that started
 * before the last reduction says nothing about the limit since, so there is at most one reduction per round. While the limit doubles, only lines
 * that started with the current limit count: otherwise it would double again before the lines that wait inside the engine have ended.
 *
 * While interactive requests arrive, their first tokens set the pace, because one that waits behind lines inside the engine waits long. Instead
 * of doubling, the limit grows a little after each first token in time. One that is late reduces it a little, and it stays below that for some
 * minutes, except that it grows by one after many first tokens in time.
 */
export interface AdaptiveLimit {
  /** An integer of at least 1. */
  readonly current: number;
  /** A line was sent to the engine. Call the returned function once, when it has ended. */
  startLine(): (outcome: LineOutcome) => void;
  /** An interactive request arrived. Call the returned function with the milliseconds until its first token. */
  startInteractive(): (firstTokenMs: number) => void;
}

/**
 * `completed`: with so many output tokens; `contended`: completed while other requests wait for the engine; `refused`: by an engine without
 * capacity; `failed`: for a reason that says nothing about capacity.
 */
export type LineOutcome =
  { readonly kind: 'completed'; readonly outputTokens: number } | { readonly kind: 'refused' | 'contended' | 'failed' };

interface AdaptiveLimitInit {
  readonly max: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly onChange: (limit: number) => void;
}

export const initialLimit = 4;
/** The factor of a reduction. While the limit doubles, it may be twice the capacity, and no more. */
const reduction = { whileDoubling: 0.5, whileGrowing: 0.7 };
/** Lines of a round at least, so that its mean duration does not depend on single lines. */
const minRoundLines = 8;
/** The part of the limit that is a round while it doubles: fewer would be those that did not have to wait inside the engine. */
const doublingRoundShare = 0.75;
/** The duration per output token, as a multiple of the best, above which lines wait inside the engine. */
const maxSlowdown = 2;
/** Lines shorter than this cannot be slow enough to matter, and their durations measure this process rather than the engine. */
const minLineMs = 50;
/** Rounds that may be slow in a row before the lines are not held to be the cause: there are as many reductions. */
const maxSlowRounds = 3;
/** The duration after these reductions, as a part of that before, above which they have not helped. */
const unchangedShare = 0.85;
/** A time to first token is late above this multiple of the longest without lines, or if the mean is above it. */
const maxFirstTokenSlowdown = 1.3;
/** Requests whose times to first token count. */
const minFirstTokens = 3;
const maxFirstTokens = 64;
/** The factor of a reduction after a late first token. */
const lateReduction = 0.9;
/** How much the limit grows, instead of doubling, after a first token in time: this part of it, or this number. */
const growthOfFirstToken = { share: 1 / 16, min: 3 };
/** First tokens in time that the limit needs to grow where one was late. */
const firstTokensOfGrowth = 48;
/** Without interactive requests for this time, the limit doubles. */
const interactivePauseMs = 10_000;
/** Without interactive requests for this time, it does not matter where one was late. */
const ceilingMs = 600_000;

export function createAdaptiveLimit({ max, clock, onChange }: AdaptiveLimitInit): AdaptiveLimit {
  let limit = Math.min(initialLimit, max);
  /** Below this limit it doubles. */
  let threshold = Infinity;
  /** Whether a line has completed since the last reduction. */
  let hasCompleted = true;
  let linesSinceGrowth = 0;
  /** Number of reductions. */
  let reductions = 0;
  /** Number of reductions and doublings. */
  let steps = 0;
  let startedLines = 0;
  let activeLines = 0;
  const mostActive = createPeak();
  let round = newRound();
  let bestMsPerToken = Infinity;
  /** The first of the last rounds if they were slow, and how many there were. */
  let slow: { readonly msPerToken: number; readonly limit: number; readonly rounds: number } | undefined;
  let firstTokensWithoutLines = createWindow();
  let firstTokensWithLines = createWindow();
  let lastFirstTokenAt = -Infinity;
  /** First tokens in time of requests that arrived with the current limit. */
  let timely = 0;
  /** Where the last first token was late, less the reduction. */
  let ceiling = Infinity;
  /** Number of changes of the limit. */
  let changes = 0;

  function newRound() {
    const size = isDoubling() ? Math.ceil(limit * doublingRoundShare) : Math.max(minRoundLines, limit);
    return { size, lines: 0, ms: 0, tokens: 0 };
  }
  function isDoubling(): boolean {
    return limit < threshold;
  }
  function setLimit(next: number): void {
    const bounded = Math.max(1, Math.min(max, next));
    if (bounded === limit) return;
    limit = bounded;
    changes++;
    timely = 0;
    onChange(limit);
  }
  function reduce(factor = isDoubling() ? reduction.whileDoubling : reduction.whileGrowing): void {
    // In an outage, reductions follow each other without a completed line between them. Afterwards the limit doubles up to where it was.
    const reduced = Math.floor(limit * factor);
    if (hasCompleted) threshold = reduced;
    hasCompleted = false;
    reductions++;
    steps++;
    setLimit(reduced);
    linesSinceGrowth = 0;
    round = newRound();
    firstTokensWithLines = createWindow();
  }
  function growByOne(): void {
    // A limit that is not used says nothing about the engine.
    if (mostActive.value < limit || areFirstTokensLate()) return;
    linesSinceGrowth++;
    if (msSinceFirstToken() > ceilingMs) ceiling = Infinity;
    if (linesSinceGrowth < limit || (limit >= ceiling && timely < firstTokensOfGrowth)) return;
    linesSinceGrowth = 0;
    setLimit(limit + 1);
  }
  function growAfterFirstToken(): void {
    if (timely === 0 || mostActive.value < limit || areFirstTokensLate()) return;
    const growth = Math.max(growthOfFirstToken.min, Math.floor(limit * growthOfFirstToken.share));
    setLimit(Math.min(threshold, limit + growth));
  }
  /**
   * Doubles the limit, or less if the round was slower than the best one, because lines wait inside the engine. With the square, the next limit is
   * about twice what the engine can do, at most.
   */
  function double(slowdown: number): void {
    if (mostActive.value * 2 < limit || areFirstTokensLate() || msSinceFirstToken() < interactivePauseMs) return;
    const next = Math.min(max, threshold, Math.floor((2 * limit) / Math.max(1, slowdown) ** 2));
    if (next > limit) {
      steps++;
      setLimit(next);
    } else threshold = limit;
  }
  function endRound(): void {
    const msPerToken = round.ms / round.tokens;
    const isMeasured = round.ms / round.lines >= minLineMs;
    const slowdown = isMeasured ? msPerToken / bestMsPerToken : 0;
    if (slowdown > maxSlowdown) {
      onSlowRound(msPerToken);
      return;
    }
    slow = undefined;
    if (isDoubling()) double(slowdown);
    bestMsPerToken = isMeasured ? Math.min(bestMsPerToken, msPerToken) : Infinity;
    round = newRound();
  }
  function onSlowRound(msPerToken: number): void {
    slow = { ...(slow ?? { msPerToken, limit }), rounds: (slow?.rounds ?? 0) + 1 };
    const hasNotHelped = slow.rounds > maxSlowRounds && msPerToken > slow.msPerToken * unchangedShare;
    if (limit >= 2 && !hasNotHelped) {
      reduce();
      return;
    }
    // These lines take longer, or the engine does: the limit doubles up to where it was.
    bestMsPerToken = msPerToken;
    threshold = slow.limit;
    slow = undefined;
    round = newRound();
  }
  function msSinceFirstToken(): number {
    return clock.monotonic() - lastFirstTokenAt;
  }
  function areFirstTokensLate(): boolean {
    if (firstTokensWithoutLines.count < minFirstTokens || firstTokensWithLines.count === 0) return false;
    return firstTokensWithLines.mean > firstTokensWithoutLines.mean * maxFirstTokenSlowdown;
  }
  function isLate(ms: number): boolean {
    if (firstTokensWithoutLines.count < minFirstTokens) return false;
    if (ms > firstTokensWithoutLines.longest * maxFirstTokenSlowdown) return true;
    return areFirstTokensLate() && firstTokensWithLines.count >= minFirstTokens;
  }
  function onFirstToken(ms: number): void {
    firstTokensWithLines.add(ms);
    if (!isLate(ms)) return;
    if (limit >= 2) {
      reduce(lateReduction);
      threshold = ceiling = limit;
    } else if (firstTokensWithLines.count >= minFirstTokens) {
      // A single line changes little: it is the engine that has become slower.
      firstTokensWithoutLines = firstTokensWithLines;
      firstTokensWithLines = createWindow();
    }
  }
  return {
    get current() {
      return limit;
    },
    startLine() {
      const startedAt = clock.monotonic();
      const reductionsAtStart = reductions;
      const stepsAtStart = steps;
      activeLines++;
      startedLines++;
      mostActive.rise(activeLines);
      return (outcome) => {
        activeLines--;
        mostActive.fall(activeLines);
        if (reductionsAtStart !== reductions || outcome.kind === 'failed') return;
        if (outcome.kind !== 'refused') hasCompleted = true;
        if (outcome.kind !== 'completed') {
          reduce();
          return;
        }
        if (isDoubling()) growAfterFirstToken();
        if (isDoubling() && stepsAtStart !== steps) return;
        round.lines++;
        round.ms += clock.monotonic() - startedAt;
        round.tokens += Math.max(1, outcome.outputTokens);
        if (!isDoubling()) growByOne();
        if (round.lines >= round.size) endRound();
      };
    },
    startInteractive() {
      const reductionsAtStart = reductions;
      const changesAtStart = changes;
      const startedLinesBefore = activeLines === 0 ? startedLines : undefined;
      // After a reduction, the lines above the limit have to end first.
      const wasWithinLimit = activeLines <= limit;
      return (ms) => {
        lastFirstTokenAt = clock.monotonic();
        if (startedLines === startedLinesBefore) firstTokensWithoutLines.add(ms);
        else if (wasWithinLimit && reductionsAtStart === reductions) {
          onFirstToken(ms);
          if (changesAtStart === changes) timely++;
        }
      };
    },
  };
}

/** The most of a number that rises and falls by one: during the last falls, at least as many as the most itself, at most twice as many. */
function createPeak() {
  let current = 0;
  let previous = 0;
  let falls = 0;
  return {
    rise(to: number): void {
      current = Math.max(current, to);
    },
    fall(to: number): void {
      falls++;
      if (falls < current) return;
      previous = current;
      current = to;
      falls = 0;
    },
    get value() {
      return Math.max(current, previous);
    },
  };
}

/** The last numbers. */
function createWindow() {
  const numbers: number[] = [];
  return {
    add(next: number): void {
      numbers.push(next);
      if (numbers.length > maxFirstTokens) numbers.shift();
    },
    get count() {
      return numbers.length;
    },
    get mean() {
      return numbers.reduce((sum, next) => sum + next, 0) / numbers.length;
    },
    get longest() {
      return Math.max(...numbers);
    },
  };
}
