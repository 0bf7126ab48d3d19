import type { Batch, BatchLate, BatchWaitingFor, BatchWaitingReason } from '@modelwire/schema/types';
import { nowInSeconds } from '../../clock.ts';
import type { Clock } from '@modelwire/ports';
import type { RequestError } from '../../errors.ts';
import { BudgetExceeded } from '../../limits/budgets.ts';
import { unrefTimeout } from '../../timers.ts';

/** Keeps `waiting_for` and `late` of a batch up to date: why none of the lines that were started can run, and that it will miss its window. */
export interface WaitingNotice {
  /** Called with the error of each attempt of a line. `isFinal`: the line is not retried. */
  onReply(line: object, error: RequestError | undefined, isFinal: boolean): void;
  /** Called with when the last line is expected to end, in Unix seconds, while that is too late; otherwise with undefined. */
  onEstimate(expectedAt: number | undefined): void;
  /** Called when a line starts or stops to wait until it can run alone. */
  onQuarantine(line: object, isWaiting: boolean): void;
  /** Called when a line has ended, with a result or without. */
  onEnd(line: object): void;
  /** Called whenever the number of started lines changes, or whether all of them wait. */
  onLines(lines: { readonly count: number; readonly allWait: boolean }): void;
  /** Stores nothing more, and resolves when nothing is being stored. */
  stop(): Promise<void>;
  /** Version of the stored batch, which each change increments. */
  version(): number;
}

interface WaitingNoticeInit {
  readonly batch: Batch;
  readonly version: number;
  /** Stores the batch. False if it has changed since this version, or the lease was lost. */
  readonly store: (batch: Batch, version: number) => Promise<boolean>;
  readonly report: (what: string, error: unknown) => void;
  readonly clock: Pick<Clock, 'now'>;
}

/** A change is stored when it has lasted this long, so that short waits and single retries cost no writes. */
const settleMs = 1000;
/** A line may be tried again for this long before it counts as running: a connection to an upstream that is gone can take as long to fail. */
const maxAttemptMs = 30_000;
const maxMessageLength = 500;

/** An estimate is stored again when it has changed by this part of the remaining time. */
const minEstimateChange = 0.1;

export function createWaitingNotice({ batch, version, store, report, clock }: WaitingNoticeInit): WaitingNotice {
  const waits = new Map<object, BatchWaitingFor>();
  let current = version;
  let stored = batch.waiting_for?.reason;
  let late = batch.late ?? undefined;
  let storedLate = late;
  let lineCount = 0;
  let isRunning = false;
  let isStopped = false;
  let writing: Promise<void> | undefined;
  let clearSettle: (() => void) | undefined;
  let clearAttempt: (() => void) | undefined;

  /** What the batch waits for now, undefined if a line runs. A line that is tried again still waits until its reply. */
  function awaited(): BatchWaitingFor | undefined {
    if (isRunning || waits.size === 0 || waits.size < lineCount) return undefined;
    const all = [...waits.values()];
    return reasons.map((reason) => all.find((wait) => wait.reason === reason)).find((wait) => wait !== undefined);
  }
  const isStored = (): boolean => awaited()?.reason === stored && late === storedLate;
  function update(): void {
    if (isStopped || clearSettle || writing || isStored()) return;
    clearSettle = unrefTimeout(settleMs, () => {
      clearSettle = undefined;
      if (!isStored()) writing = write(awaited(), late);
    });
  }
  async function write(next: BatchWaitingFor | undefined, nextLate: BatchLate | undefined): Promise<void> {
    const { waiting_for: _, late: __, ...rest } = batch;
    try {
      const hasStored = await store(
        { ...rest, ...(next && { waiting_for: next }), ...(nextLate && { late: nextLate }) },
        current,
      );
      stored = next?.reason;
      storedLate = nextLate;
      if (hasStored) current++;
      // The batch was cancelled, or another server runs it: it says no more from here.
      else isStopped = true;
    } catch (error) {
      report('failed to store what a batch waits for', error);
    } finally {
      writing = undefined;
    }
    update();
  }
  function hasChanged(before: number, expectedAt: number): boolean {
    return Math.abs(expectedAt - before) > minEstimateChange * Math.abs(expectedAt - nowInSeconds(clock));
  }
  function set(line: object, wait: Omit<BatchWaitingFor, 'since'>): void {
    // `since` is the time of the first of several equal waits.
    if (waits.get(line)?.reason !== wait.reason) waits.set(line, { ...wait, since: nowInSeconds(clock) });
    update();
  }

  return {
    onReply(line, error, isFinal) {
      if (error && !isFinal) set(line, waitOf(error));
      else this.onEnd(line);
    },
    onEstimate(expectedAt) {
      if (expectedAt === undefined) late = undefined;
      else if (!late || hasChanged(late.expected_at, expectedAt))
        late = { since: late?.since ?? nowInSeconds(clock), expected_at: expectedAt };
      update();
    },
    onQuarantine(line, isWaiting) {
      if (isWaiting) set(line, quarantined());
      else this.onEnd(line);
    },
    onEnd(line) {
      waits.delete(line);
      update();
    },
    onLines({ count, allWait }) {
      lineCount = count;
      if (allWait) {
        isRunning = false;
        clearAttempt?.();
        clearAttempt = undefined;
      } else {
        clearAttempt ??= unrefTimeout(maxAttemptMs, () => {
          isRunning = true;
          update();
        });
      }
      update();
    },
    async stop() {
      isStopped = true;
      clearSettle?.();
      clearAttempt?.();
      await writing;
    },
    version: () => current,
  };
}

/** What a batch says when its lines wait for several: what lasts longest and needs an operator comes first. */
const reasons: readonly BatchWaitingReason[] = [
  'budget',
  'model_unavailable',
  'upstream_unavailable',
  'storage',
  'capacity',
  'rate_limit',
  'server_error',
  'quarantine',
  'batches',
];

function waitOf(error: RequestError): Omit<BatchWaitingFor, 'since'> {
  const reason = reasonOf(error);
  const until = reason === 'budget' && error.cause instanceof BudgetExceeded ? error.cause.resetsAt : null;
  return { reason, message: error.message.slice(0, maxMessageLength), until };
}

function quarantined(): Omit<BatchWaitingFor, 'since'> {
  const message =
    'The server crashed while these requests were running. Each of them runs alone now, when it is its turn.';
  return { reason: 'quarantine', message, until: null };
}

/** The reason of an error after which a line is retried. */
export function reasonOf({ status, code, cause }: Pick<RequestError, 'status' | 'code' | 'cause'>): BatchWaitingReason {
  // A budget that running requests reserve becomes free again as they end.
  if (cause instanceof BudgetExceeded) return cause.isTemporary ? 'capacity' : 'budget';
  if (code === 'waiting_for_batches') return 'batches';
  if (code === 'model_not_found') return 'model_unavailable';
  if (status === 507 || code === 'storage_unavailable') return 'storage';
  if (status === 429) return 'rate_limit';
  if (code.startsWith('upstream_')) return 'upstream_unavailable';
  return status === 503 ? 'capacity' : 'server_error';
}
