import type { Batch } from '@modelwire/schema/types';
import { JobAborted } from '../../jobs/job-aborted.ts';
import { unrefTimeout, sleep } from '../../timers.ts';
import { maxCrashes, suspectsOf } from '../../jobs/suspects.ts';
import type { Suspects } from '../../jobs/suspects.ts';
import type { BatchRecord } from '@modelwire/ports';
import { ClientConnection } from '../../client-connection.ts';
import type { InternalDispatch } from '../../internal-dispatch.ts';
import { answerLine } from './answer-line.ts';
import type { LineState } from './answer-line.ts';
import { watch } from './batch-run.ts';
import type { BatchRun } from './batch-run.ts';
import { inputLines } from './input.ts';
import { lineOf } from './input-line.ts';
import { keepResults } from './keep-results.ts';
import { createLineWindow } from './line-window.ts';
import type { HeldLine } from './line-memory.ts';
import type { FairSemaphore } from '../../limits/fair-semaphore.ts';
import { answeredLine, unansweredLine } from './output-line.ts';
import { linesShare, memoryShare } from './settings.ts';
import { now } from '../../sources.ts';

/** How it came to an end: all lines answered, the window over, or cancelled, with the lines at work ended. */
export type Ended = 'done' | 'expired' | 'cancelled';

/**
 * Answers the lines of a batch that are not answered yet, some at once, and keeps each answer. What was kept is never asked again,
 * whatever happens; lines that were at work when the server died are, after all others and one at a time. A server that stops begins none,
 * and lets those at an engine end.
 */
export async function runLines(run: BatchRun, record: BatchRecord): Promise<Ended> {
  const { server, lease, batches, settings, signal } = run;
  const { batch, work } = record;
  const inside = endpointOf(run, record);
  const least = 2 * settings.concurrency;
  const answered = new Set(await batches.answeredLines(batch.id));
  const lines = (batch.request_counts?.total ?? 0) - answered.size;
  const observation = server.options.observer?.startBatch?.({ batch: batch.id, lines });
  const { requestsPerMinute, tokensPerMinute } = settings;
  const isLimited = requestsPerMinute !== null || tokensPerMinute !== null;
  const limits = isLimited ? [{ id: `batches:${lease.project}`, requestsPerMinute, tokensPerMinute }] : [];
  const principal = { keyId: work.keyId ?? 'batch', project: lease.project, limits };
  const suspects = await suspectsOf({
    jobs: run.jobs,
    lease,
    atWork(isSuspect, written = least) {
      if (run.crashedIn !== 'in_progress') return [];
      return firstLines(batch, written, (line) => !answered.has(line) && !isSuspect(line));
    },
    isDone: (line) => line < 0 || answered.has(line),
    report: server.options.report,
  });
  const window = createLineWindow({
    least,
    most: () => (isServedHere(run, batch) ? Math.max(least, maxWindow) : least),
    written: suspects.window(),
    write: (size) => suspects.setWindow(size),
    failed: fail,
  });
  const atWork = new Map<ClientConnection, LineState>();
  const maxHeld = server.options.maxBufferedBytes * memoryShare;
  let held = 0;
  let ended: Ended = 'done';
  let failure: { readonly error: unknown } | undefined;
  let stopped: JobAborted | undefined;
  let wake: (() => void) | undefined;
  const timers: (() => void)[] = [];

  const changed = (): void => wake?.();
  /** Resolves as soon as it holds; looks when something has changed. */
  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => (wake = resolve));
  }
  function abortLines(reason: unknown, which: (state: LineState) => boolean = () => true): void {
    for (const [client, state] of atWork) if (which(state)) client.abort(reason);
    changed();
  }
  function fail(error: unknown): void {
    failure ??= { error };
    abortLines(error);
  }
  function end(how: Ended, graceMs: number): void {
    if (ended !== 'done') return;
    ended = how;
    const reason = new Error(`the batch is ${how}`);
    // Nobody is at work for these.
    abortLines(reason, (state) => state !== 'asked');
    timers.push(unrefTimeout(graceMs, () => abortLines(reason)));
  }
  function cancelled(): void {
    end('cancelled', notCancelledAt + settings.cancelSeconds * 1000 * linesShare - performance.now());
  }
  function stop(reason: JobAborted): void {
    stopped = reason;
    abortLines(reason, (state) => state !== 'asked');
    timers.push(unrefTimeout(reason.withinMs, () => abortLines(reason)));
  }
  const over = (): boolean => failure !== undefined || stopped !== undefined || ended !== 'done';

  /** While all its lines wait for an engine, other batches may have this one's place. */
  function tellWaiting(): void {
    run.waits(atWork.size > 0 && [...atWork.values()].every((state) => state === 'paused'));
  }

  /** When the batch was last known not to be cancelled. Unlike `cancelling_at`, it is by the clock that measures the grace. */
  let notCancelledAt = performance.now();
  const notCancelled = (at: number): void => void (notCancelledAt = Math.max(notCancelledAt, at));

  const results = keepResults({
    kept() {
      window.stored(atWork.size + results.unkept());
      changed();
    },
    failed: fail,
    async keep(some) {
      const asked = performance.now();
      const status = await retryUntilLeaseEnds(run, () => batches.addResults(batch.id, lease, some));
      if (status === undefined) throw new JobAborted('lost');
      if (status === 'cancelling') cancelled();
      else notCancelled(asked);
    },
  });

  async function answer({ line, text, memory, turns }: LineInit): Promise<void> {
    const client = new ClientConnection();
    const startedAt = performance.now();
    atWork.set(client, 'queued');
    held += text.length;
    memory?.is(text.length);
    try {
      const { custom_id, body } = lineOf(text);
      const now = (state: LineState): void => {
        atWork.set(client, state);
        // What has ended since does not wait for an engine to have time again.
        if (state !== 'asked' && over()) client.abort(new Error('no line is begun any more'));
        tellWaiting();
      };
      const batchLine = { batch: batch.id, customId: custom_id };
      const init = {
        inside,
        principal,
        batchLine,
        client,
        turns,
        retryMs: settings.retryMs,
        pausesOverBudget: settings.pausesOverBudget,
        rateLimiter: server.options.rateLimiter,
        now,
      };
      const reply = await answerLine({ body }, init);
      window.answered(performance.now() - startedAt);
      observation?.lineEnded(reply.error === undefined ? 'completed' : 'failed');
      results.add({ line, failed: reply.error !== undefined, text: answeredLine(custom_id, reply) });
    } catch (error) {
      if (client.reason === undefined) fail(error);
    } finally {
      atWork.delete(client);
      held -= text.length;
      memory?.free();
      tellWaiting();
      changed();
    }
  }
  /** Waits until there is room for a line, of whatever length, or there will be none. */
  async function room(alone: boolean): Promise<HeldLine | undefined> {
    let memory: HeldLine | undefined;
    await until(() => {
      if (over()) return true;
      if (!results.hasRoom() || atWork.size >= settings.concurrency || held > maxHeld) return false;
      // However slow the store is.
      if (atWork.size + results.unkept() >= (alone ? 1 : window.size())) return false;
      memory = run.memory.take(changed);
      return memory !== undefined;
    });
    return memory;
  }

  function onAbort(): void {
    const reason: unknown = signal.reason;
    if (reason instanceof JobAborted && reason.withinMs > 0) stop(reason);
    else fail(reason);
  }
  signal.addEventListener('abort', onAbort, { once: true });
  timers.push(watch(run, record, cancelled, notCancelled));
  timers.push(unrefTimeout((batch.expires_at ?? 0) * 1000 - now(), () => end('expired', 0)));
  let next: HeldLine | undefined;
  /** Answers the lines that were at work in so many crashes: those that were in none together, the others alone. */
  async function pass(crashes: number): Promise<void> {
    const alone = crashes > 0;
    next?.free();
    next = await room(alone);
    let line = -1;
    for await (const { text } of inputLines(run, batch)) {
      if (over()) return;
      line++;
      if (text === undefined || answered.has(line) || suspects.crashesOf(line) !== crashes) continue;
      void answer({ line, text, memory: next, turns: alone ? quarantined(run, suspects, line) : run.turns });
      next = undefined;
      next = await room(alone);
    }
  }
  /** Lines that crashed their worker too often are answered without being asked. */
  async function giveUpSuspects(): Promise<void> {
    let line = -1;
    for await (const { text } of inputLines(run, batch)) {
      line++;
      if (text === undefined || answered.has(line) || suspects.crashesOf(line) < maxCrashes) continue;
      observation?.lineEnded('failed');
      results.add({ line, failed: true, text: unansweredLine(lineOf(text).custom_id, 'worker_crashed') });
    }
  }
  try {
    signal.throwIfAborted();
    if (suspects.of(maxCrashes).length > 0) await giveUpSuspects();
    for (let crashes = 0; crashes < maxCrashes && !over(); crashes++) {
      if (crashes === 0 || suspects.of(crashes).length > 0) await pass(crashes);
    }
  } catch (error) {
    // Lines at an engine have been read: they may end.
    failure ??= { error };
    abortLines(error, (state) => state !== 'asked');
  } finally {
    next?.free();
  }
  // What was answered is kept, whatever came after it.
  await until(() => atWork.size === 0);
  await results.flush();
  await suspects.settled();
  signal.removeEventListener('abort', onAbort);
  for (const clearTimer of timers) clearTimer();
  observation?.end();
  if (failure) throw failure.error;
  if (stopped) throw stopped;
  return ended;
}

/** Lines of a window that has grown: about as many as one commit stores. */
const maxWindow = 512;

/** Whether an engine in this process answers all lines: nobody charges for lines that a crash repeats. */
function isServedHere({ server }: BatchRun, { model }: Batch): boolean {
  const served = typeof model === 'string' ? server.models.find(model) : undefined;
  return served !== undefined && served.engine.isRemote !== true;
}

interface LineInit {
  readonly line: number;
  readonly text: string;
  readonly memory: HeldLine | undefined;
  readonly turns: FairSemaphore;
}

/** Lines begin in their order, and only so many are at work or not kept: those that were when a worker crashed are among these. */
function firstLines({ request_counts }: Batch, count: number, isLeft: (line: number) => boolean): readonly number[] {
  const lines: number[] = [];
  const total = request_counts?.total ?? 0;
  for (let line = 0; line < total && lines.length < count; line++) if (isLeft(line)) lines.push(line);
  return lines;
}

/** The turns of a line that may have crashed its worker: with no other such line beside it, and written down before it begins. */
function quarantined({ quarantine, turns }: BatchRun, suspects: Suspects, line: number): FairSemaphore {
  return {
    async acquire(project, signal) {
      const leaveQuarantine = await quarantine.acquire(project, signal);
      try {
        const leaveTurn = await turns.acquire(project, signal);
        try {
          await suspects.begin(line);
        } catch (error) {
          leaveTurn();
          throw error;
        }
        return () => {
          void suspects.end();
          leaveTurn();
          leaveQuarantine();
        };
      } catch (error) {
        leaveQuarantine();
        throw error;
      }
    },
  };
}

/**
 * Does what keeps answers again until the store does it, for as long as a lease lasts: a store that is restarted meanwhile costs none of
 * them. @throws what it failed with when that takes longer, or the job was aborted.
 */
async function retryUntilLeaseEnds<Value>({ server, signal }: BatchRun, work: () => Promise<Value>): Promise<Value> {
  const { leaseMs, retryMs } = server.options.jobTimes;
  const end = performance.now() + leaseMs;
  for (let wait = retryMs; ; wait = Math.min(2 * wait, longestWaitMs)) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || performance.now() + wait > end) throw error;
      server.options.report('answers of a batch were not kept yet', error);
    }
    await sleep(wait, signal);
  }
}

const longestWaitMs = 5000;

function endpointOf({ server }: BatchRun, { batch }: BatchRecord): InternalDispatch {
  const inside = server.internalDispatch(batch.endpoint);
  if (!inside) throw new Error(`this server does not serve ${batch.endpoint}: another may`);
  return inside;
}
