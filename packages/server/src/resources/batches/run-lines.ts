import type { Batch } from '@modelwire/schema/types';
import { JobAborted } from '../../jobs/job-aborted.ts';
import { unrefTimeout, sleep } from '../../timers.ts';
import type { JobGuard } from '../../jobs/guarded-job.ts';
import { maxCrashes } from '../../jobs/suspects.ts';
import type { Release } from '@modelwire/adapter-kit';
import type { BatchObservation, BatchRecord } from '@modelwire/ports';
import type { RequestError } from '../../errors.ts';
import { ClientConnection } from '../../limits/client-connection.ts';
import { internalDispatchOf } from '../../http/internal-request.ts';
import { executeLine, responseLine, errorLine } from './execute-line.ts';
import type { LineState } from './execute-line.ts';
import { principalOfLines, watchStatus } from './batch-run.ts';
import type { BatchRun } from './batch-run.ts';
import type { LinePlan } from './line-plan.ts';
import type { WaitingNotice } from './waiting-notice.ts';
import { createBudgetPause } from './budget-pause.ts';
import { parseValidatedLine } from './input.ts';
import { firstConcurrency } from '../../limits/line-slots.ts';
import { openForwarding } from './forwarding.ts';
import type { Forwarding } from './forwarding.ts';
import { linePlanOf, readLines } from './read-lines.ts';
import { createResultWriter } from './result-writer.ts';
import { createSplit } from './split.ts';
import { endingShare } from './withdraw.ts';
import { watchLateness } from './lateness.ts';
import { createLineWindow, minWindow } from './line-window.ts';
import type { ByteReservation } from '../../limits/byte-budget.ts';

/** The part of the memory for lines that one batch may take with more than one line, so that waiting batches leave room for others. */
const maxMemoryShare = 1 / 64;

/** `done`: all lines were completed; `expired`: the window ended; `cancelled`: a client cancelled the batch. */
export type RunOutcome = 'done' | 'expired' | 'cancelled';

interface RunLinesInit {
  readonly guard: JobGuard<BatchObservation | undefined>;
  readonly completedLines: ReadonlySet<number>;
  readonly notice: WaitingNotice;
}

/**
 * Runs the lines of a batch that have no result yet, several at a time, and stores each result. A line with a stored result is never sent
 * again. Lines that were running when the server crashed are sent last, one at a time. A server that is stopping starts no lines, and lets
 * those at an engine finish.
 */
export async function runLines(
  run: BatchRun,
  record: BatchRecord,
  { guard, completedLines, notice }: RunLinesInit,
): Promise<RunOutcome> {
  const { server, lease, batches, signal } = run;
  const { suspects, observed: observation } = guard;
  const { batch } = record;
  const dispatch = internalDispatchOf(server, record.batch.endpoint);
  const { batchCancelTimeoutSeconds, maxBufferedBytes } = server.options;
  const principal = principalOfLines(record, run);
  const budgetPause = createBudgetPause({ batch: batch.id, project: lease.project }, server.options);
  /** The slots that lines of this batch have used. */
  const slots = new Set(typeof batch.model === 'string' ? [server.lineSlots.of(batch.model)] : []);
  const concurrency = (): number =>
    [...slots].reduce((sum, { limit }) => sum + limit, 0) || firstConcurrency(server.options);
  const minSize = (): number => minWindow(Math.max(concurrency(), firstConcurrency(server.options)));
  const window = createLineWindow({
    minSize,
    maxSize: () => (runsInProcess(run, batch) ? Math.max(minSize(), maxWindow) : minSize()),
    storedSize: suspects.window() ?? minWindow(firstConcurrency(server.options)),
    onGrown: () => notify(),
    storeSize: (size) => suspects.setWindow(size),
    onError: fail,
  });
  const total = batch.request_counts?.total ?? 0;
  const expiresAt = (batch.expires_at ?? 0) * 1000;
  /** Lines that have a result, or are being run here or by an upstream. */
  const taken = new Set(completedLines);
  const remaining = (): number => total - taken.size + running.size;
  const lateness = watchLateness({
    remaining,
    expiresAt,
    clock: server.clock,
    onEstimate(expectedAt, isLate) {
      observation?.setLate?.(isLate);
      notice.onEstimate(isLate ? Math.ceil(expectedAt / 1000) : undefined);
    },
  });
  const split = createSplit(expiresAt, server.clock);
  const running = new Map<ClientConnection, LineState>();
  const maxRunningLength = maxBufferedBytes * maxMemoryShare;
  let runningLength = 0;
  const ending = new AbortController();
  let outcome: RunOutcome = 'done';
  let forwarding: Forwarding | undefined;
  let failure: { readonly error: unknown } | undefined;
  let stopped: JobAborted | undefined;
  let wake: (() => void) | undefined;
  const timers: (() => void)[] = [];

  const notify = (): void => wake?.();
  /** Resolves as soon as the condition is true. It is checked after each `notify()`. */
  async function waitUntil(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => (wake = resolve));
  }
  /** Starts no more lines, and aborts those in matching states. */
  function abortLines(reason: unknown, matches: (state: LineState) => boolean = () => true): void {
    ending.abort();
    for (const [client, state] of running) if (matches(state)) client.abort(reason);
    notify();
  }
  function fail(error: unknown): void {
    failure ??= { error };
    abortLines(error);
  }
  function endRun(reached: RunOutcome, graceMs: number): void {
    if (outcome !== 'done') return;
    outcome = reached;
    const reason = new Error(`the batch is ${reached}`);
    // These are not at an engine.
    abortLines(reason, (state) => state !== 'running');
    timers.push(unrefTimeout(graceMs, () => abortLines(reason)));
  }
  function onCancelled(): void {
    endRun('cancelled', notCancelledAt + batchCancelTimeoutSeconds * 1000 * endingShare - performance.now());
  }
  function drain(reason: JobAborted): void {
    stopped = reason;
    abortLines(reason, (state) => state !== 'running');
    timers.push(unrefTimeout(reason.withinMs, () => abortLines(reason)));
  }
  const isEnding = (): boolean => ending.signal.aborted;

  /** While all lines of the batch wait to be retried or to run alone, another batch may run in its place. */
  function reportWaiting(): void {
    const states = [...running.values()];
    const allWait =
      (states.length > 0 || forwarding?.isWaiting() === true) &&
      states.every((state) => state === 'paused' || state === 'quarantined');
    run.setWaiting(allWait);
    notice.onLines({ count: states.length, allWait });
    budgetPause.onWaiting(states.length > 0 && states.every((state) => state === 'paused'));
  }

  /** When the batch was last known not to be cancelled, by the clock that measures the grace period (unlike `cancelling_at`). */
  let notCancelledAt = performance.now();
  const onNotCancelled = (at: number): void => void (notCancelledAt = Math.max(notCancelledAt, at));

  const results = createResultWriter({
    onStored() {
      window.recordStored(running.size + results.unstoredCount());
      notify();
    },
    onError: fail,
    async store(some) {
      const requestedAt = performance.now();
      const status = await retryUntilLeaseEnds(run, () => batches.addResults(batch.id, lease, some));
      if (status === undefined) throw new JobAborted('lost');
      if (status === 'cancelling') onCancelled();
      else onNotCancelled(requestedAt);
    },
  });

  async function runLine({ line, text, memory }: LineInit): Promise<void> {
    const client = new ClientConnection();
    const startedAt = performance.now();
    running.set(client, 'queued');
    runningLength += text.length;
    try {
      const { custom_id, body } = await parseValidatedLine(text);
      const ofModel = server.lineSlots.of(body['model'] ?? server.options.defaultModel);
      slots.add(ofModel);
      const onStateChange = (state: LineState): void => {
        running.set(client, state);
        // A run that is ending does not wait until an engine has capacity again.
        if (state !== 'running' && isEnding()) client.abort(new Error('the batch is ending'));
        reportWaiting();
      };
      const crashes = suspects.crashesOf(line);
      const setQuarantined = (isWaiting: boolean): void => {
        notice.onQuarantine(client, isWaiting);
        onStateChange(isWaiting ? 'quarantined' : 'queued');
      };
      const { signal: lineSignal } = client;
      const waiting = { signal: lineSignal, project: lease.project, expiresAt: batch.expires_at ?? 0 };
      const acquire = (): Promise<Release> => ofModel.acquire(waiting);
      const acquireSlot =
        crashes === undefined
          ? acquire
          : () => guard.isolate({ unit: line, crashes, signal: lineSignal, setWaiting: setQuarantined, acquire });
      const batchLine = { batch: batch.id, customId: custom_id };
      const init = {
        server,
        dispatch,
        principal,
        batchLine,
        client,
        slots: ofModel,
        acquireSlot,
        onStateChange,
        onReply(error: RequestError | undefined, isFinal: boolean) {
          budgetPause.onReply(error);
          notice.onReply(client, error, isFinal);
        },
      };
      const reply = await executeLine(body, init);
      window.recordCompletion(performance.now() - startedAt);
      observation?.lineEnded(reply.error === undefined ? 'completed' : 'failed');
      lateness.lineEnded();
      split.lineEnded();
      results.add({ line, failed: reply.error !== undefined, text: responseLine(custom_id, reply, server.createId) });
    } catch (error) {
      if (client.reason === undefined) fail(error);
    } finally {
      running.delete(client);
      notice.onEnd(client);
      runningLength -= text.length;
      memory.release();
      reportWaiting();
      notify();
    }
  }
  /**
   * Lines that may be started, at an engine or not: as many as there are slots. While lines of other batches wait for these, further ones of
   * this batch have to wait as well, or they would not get their turn.
   */
  function maxStarted(): number {
    const waiting = [...slots].reduce((sum, ofModel) => sum + ofModel.waiting, 0);
    const own = waiting > 0 ? [...running.values()].filter((state) => state === 'queued').length : 0;
    return waiting > own ? 2 * concurrency() : concurrency();
  }
  /** Waits until another line may be started, and reserves memory for it. Undefined when the run is ending. */
  async function reserveLine(bytes: number, isAlone: boolean): Promise<ByteReservation | undefined> {
    await waitUntil(() => {
      if (isEnding()) return true;
      if (!results.hasCapacity() || running.size >= maxStarted() || runningLength > maxRunningLength) return false;
      // Limits unstored results, however slow the store is.
      return running.size + results.unstoredCount() < (isAlone ? 1 : window.size());
    });
    const memory = run.memory.reserve();
    try {
      await memory.acquire(bytes, ending.signal);
      return memory;
    } catch {
      return undefined;
    }
  }

  function onAbort(): void {
    const reason: unknown = signal.reason;
    if (reason instanceof JobAborted && reason.withinMs > 0) drain(reason);
    else fail(reason);
  }
  signal.addEventListener('abort', onAbort, { once: true });
  timers.push(() => lateness.stop());
  timers.push(watchStatus(run, record, onCancelled, onNotCancelled));
  timers.push(unrefTimeout((batch.expires_at ?? 0) * 1000 - server.clock.now(), () => endRun('expired', 0)));
  let reservation: ByteReservation | undefined;
  /** Leaves the last lines to a provider if own capacity will not run them in time. */
  async function splitLines(to: Forwarding): Promise<void> {
    const count = split.linesToSubmit(remaining());
    const lines = new Set<number>();
    for (let line = total - 1; line >= 0 && lines.size < count; line--)
      if (!taken.has(line) && suspects.crashesOf(line) === undefined) lines.add(line);
    if (lines.size > 0) await to.submit(lines);
  }
  function startSplitting(to: Forwarding): () => void {
    const schedule = (): (() => void) =>
      unrefTimeout(server.options.jobTimes.batchPollMs, () => {
        clearTimer = schedule();
        splitLines(to).catch((error: unknown) => {
          if (error !== ending.signal.reason) fail(error);
        });
      });
    let clearTimer = schedule();
    return () => clearTimer();
  }
  /** The lines without a result that ran alone during so many crashes, or are no suspects, in the order in which they run. */
  const linesOf = ({ order }: LinePlan, crashes: number | undefined): readonly number[] =>
    order.filter((line) => !taken.has(line) && suspects.crashesOf(line) === crashes);

  /** Runs suspects one at a time, other lines together. */
  async function runLinesOf(plan: LinePlan, crashes: number | undefined): Promise<void> {
    const lines = linesOf(plan, crashes);
    const texts = readLines(run, batch, plan, lines);
    for (const line of lines) {
      const { start, end } = plan.locate(line);
      reservation = await reserveLine(end - start, crashes !== undefined);
      if (!reservation) return;
      const { value: text } = await texts.next();
      if (text === undefined || isEnding()) return;
      // It was submitted in the meantime.
      if (taken.has(line)) {
        reservation.release();
        continue;
      }
      taken.add(line);
      void runLine({ line, text, memory: reservation });
      reservation = undefined;
    }
  }
  /** Fails the lines that crashed their worker too often. */
  async function failSuspects(plan: LinePlan): Promise<void> {
    const lines = linesOf(plan, maxCrashes);
    let index = 0;
    for await (const text of readLines(run, batch, plan, lines)) {
      const { custom_id } = await parseValidatedLine(text);
      observation?.lineEnded('failed');
      const line = lines[index++] ?? 0;
      taken.add(line);
      results.add({ line, failed: true, text: errorLine(custom_id, 'worker_crashed', server.createId) });
    }
  }
  try {
    signal.throwIfAborted();
    forwarding = await openForwarding(run, {
      record,
      principal,
      dispatch,
      signal: ending.signal,
      taken,
      addResult(result) {
        observation?.lineEnded(result.failed ? 'failed' : 'completed');
        results.add(result);
      },
      flush: () => results.flush(),
      notice,
      lateness,
      isCancelled: false,
      onChange: reportWaiting,
    });
    timers.push(startSplitting(forwarding));
    do {
      if (taken.size === total) continue;
      const plan = await linePlanOf(run, batch);
      if (suspects.withCrashes(maxCrashes).length > 0) await failSuspects(plan);
      await forwarding.submitRequired(plan);
      await runLinesOf(plan, undefined);
      for (let crashes = 0; crashes < maxCrashes && !isEnding(); crashes++) await runLinesOf(plan, crashes);
    } while (!isEnding() && (await forwarding.settle()));
  } catch (error) {
    // The run ends already, or else lines that are at an engine may finish.
    if (!isEnding() || error !== ending.signal.reason) failure ??= { error };
    abortLines(error, (state) => state !== 'running');
  } finally {
    reservation?.release();
  }
  // Results are stored in any case, also after a failure.
  await forwarding?.stopped();
  await waitUntil(() => running.size === 0);
  await results.flush();
  await suspects.settled();
  await notice.stop();
  signal.removeEventListener('abort', onAbort);
  for (const clearTimer of timers) clearTimer();
  if (failure) throw failure.error;
  if (stopped) throw stopped;
  return outcome;
}

/** Maximum window: about as many lines as one commit stores. */
const maxWindow = 512;

/** Whether an engine in this process runs all lines, so that repeating them after a crash costs nothing. */
function runsInProcess({ server }: BatchRun, { model }: Batch): boolean {
  const resolved = typeof model === 'string' ? server.models.chat.find(model) : undefined;
  return resolved !== undefined && resolved.engine.isRemote !== true;
}

interface LineInit {
  readonly line: number;
  readonly text: string;
  readonly memory: ByteReservation;
}

/**
 * Retries a write of results for as long as a lease lasts, so that a restart of the store loses none. @throws the error of the write when
 * that takes longer or the job is aborted.
 */
async function retryUntilLeaseEnds<Value>({ server, signal }: BatchRun, work: () => Promise<Value>): Promise<Value> {
  const { leaseMs, retryMs } = server.options.jobTimes;
  const end = performance.now() + leaseMs;
  for (let delayMs = retryMs; ; delayMs = Math.min(2 * delayMs, maxRetryDelayMs)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || performance.now() + delayMs > end) throw error;
      server.options.report('failed to store results of a batch, retrying', error);
    }
    await sleep(delayMs, signal);
  }
}

const maxRetryDelayMs = 5000;
