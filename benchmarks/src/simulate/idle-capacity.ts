import { createAdaptiveLimit } from '@modelwire/server/testing';
import { seededRandom } from '@modelwire/vitest/random';
import { quantile } from '../statistics.ts';
import { createVirtualTime } from './events.ts';

export interface IdleCapacityOptions {
  /** Requests that the engine works on at the same time. Others wait inside, in the order of arrival. */
  readonly slots: number;
  /** Batch lines at once; 0: no batch runs. */
  readonly lines: number | 'auto';
  /** The part of the engine's capacity that interactive requests take. */
  readonly interactiveShare: number;
  /** Lines of the batch. */
  readonly count: number;
}

export interface IdleCapacityResult {
  /** Milliseconds to the first token of interactive requests: the mean, and 99 % of them. */
  readonly mean: number;
  readonly p99: number;
  /** Lines per second. */
  readonly rate: number;
}

const msPerToken = 20;
const prefillMs = 100;
const lineTokens = 100;
/** Requests before the batch starts: the limit learns their times to the first token. */
const requestsBefore = 50;

/** Interactive requests, which arrive at random, beside a batch at an engine that knows no priorities. */
export function simulateIdleCapacity(options: IdleCapacityOptions): IdleCapacityResult {
  const { slots, lines, interactiveShare, count } = options;
  const time = createVirtualTime();
  const random = seededRandom(1);
  const limit = createAdaptiveLimit({ max: 256, clock: time, onChange: () => fill() });
  const requestMs = prefillMs + lineTokens * msPerToken;
  const waiting: (() => void)[] = [];
  const firstTokens: number[] = [];
  let working = 0;
  let activeLines = 0;
  let completed = 0;
  let asked = 0;
  let startedAt: number | undefined;

  function request(tokens: number, onFirstToken: () => void, onEnd: () => void): void {
    const start = (): void => {
      working++;
      time.after(prefillMs, onFirstToken);
      time.after(prefillMs + tokens * msPerToken, () => {
        working--;
        waiting.shift()?.();
        onEnd();
      });
    };
    if (working < slots) start();
    else waiting.push(start);
  }
  /** As many tokens as others have on average. */
  const someTokens = (): number => Math.round(lineTokens * (0.5 + random()));

  function arrive(): void {
    asked++;
    if (asked > requestsBefore) startBatch();
    const arrivedAt = time.monotonic();
    const onFirstToken = limit.startInteractive();
    const answered = (): void => {
      const ms = time.monotonic() - arrivedAt;
      onFirstToken(ms);
      if (startedAt !== undefined || lines === 0) firstTokens.push(ms);
    };
    request(someTokens(), answered, () => undefined);
    const perSecond = (interactiveShare * slots) / (requestMs / 1000);
    time.after((-Math.log(1 - random()) / perSecond) * 1000, arrive);
  }
  function startBatch(): void {
    if (startedAt !== undefined || lines === 0) return;
    startedAt = time.monotonic();
    fill();
  }
  function fill(): void {
    while (startedAt !== undefined && activeLines < (lines === 'auto' ? limit.current : lines)) startLine();
  }
  function startLine(): void {
    activeLines++;
    const outputTokens = someTokens();
    const end = limit.startLine();
    const onEnd = (): void => {
      activeLines--;
      completed++;
      end({ kind: 'completed', outputTokens });
      fill();
    };
    request(outputTokens, () => undefined, onEnd);
  }

  if (interactiveShare > 0) arrive();
  else startBatch();
  time.runUntil(() => (lines === 0 ? asked >= count / 4 : completed >= count));
  const seconds = (time.monotonic() - (startedAt ?? 0)) / 1000;
  const mean = firstTokens.reduce((sum, ms) => sum + ms, 0) / firstTokens.length;
  return { mean, p99: quantile(firstTokens, 0.99), rate: completed / seconds };
}
