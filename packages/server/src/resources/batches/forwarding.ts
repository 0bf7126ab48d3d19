import { createSemaphore } from '@modelwire/adapter-kit';
import type {
  BatchForwarding,
  BatchProvider,
  BatchRecord,
  BatchResult,
  BatchSubmission,
  Principal,
} from '@modelwire/ports';
import type { InternalDispatch, InternalReply } from '../../call.ts';
import { nowInSeconds } from '../../clock.ts';
import { RequestError } from '../../errors.ts';
import { randomId } from '../../ids.ts';
import { JobAborted } from '../../jobs/job-aborted.ts';
import { maxCrashes } from '../../jobs/suspects.ts';
import { ClientConnection } from '../../limits/client-connection.ts';
import { blobStorage } from '../../media/files/storage.ts';
import { sleep } from '../../timers.ts';
import type { BatchRun } from './batch-run.ts';
import { executeLine, failedLine, responseLine } from './execute-line.ts';
import { parseValidatedLine } from './input.ts';
import type { Lateness } from './lateness.ts';
import type { LinePlan } from './line-plan.ts';
import { LineRecorded, recordingExchange, repliedExchange } from './line-exchange.ts';
import { createPreparedLines, linesIn, preparedLine } from './prepared-lines.ts';
import type { PreparedLines } from './prepared-lines.ts';
import { providersOf } from './providers.ts';
import { linePlanOf, readLines } from './read-lines.ts';
import { readReplies } from './submission-results.ts';
import type { LineReply } from './submission-results.ts';
import { refusedBy, runSubmission, untilAvailable } from './submission.ts';
import type { SubmissionContext, SubmissionEnd } from './submission.ts';
import type { WaitingNotice } from './waiting-notice.ts';

/** Lines that are prepared, or get their replies, at once. */
const maxConcurrentLines = 8;
/** Inputs of providers that are written at once, for as many models of one batch. */
const maxOpenInputs = 8;
const maxConcurrentUploads = 2;
/** The part of the memory for lines that the replies of one submission may take. */
const maxMemoryShare = 1 / 64;

/** Submits lines of a batch to the batch APIs of upstreams, and gets their results. */
export interface Forwarding {
  /** Submits the lines without a result whose models only such upstreams serve. */
  submitRequired(plan: LinePlan): Promise<void>;
  /** Submits these lines of a batch with one model that own capacity would run otherwise. */
  submit(lines: ReadonlySet<number>): Promise<void>;
  /** Waits until lines can be run again, or nothing is at an upstream. Resolves to whether there are such lines. */
  settle(): Promise<boolean>;
  /** Whether it only waits for upstreams. */
  isWaiting(): boolean;
  /** Resolves when nothing runs any more, after the signal has aborted. */
  stopped(): Promise<void>;
}

export interface ForwardingInit {
  readonly record: BatchRecord;
  readonly principal: Principal;
  readonly dispatch: InternalDispatch;
  /** Aborts when no more lines are run. */
  readonly signal: AbortSignal;
  /** Lines that have a result or are being run, here or elsewhere. */
  readonly taken: Set<number>;
  readonly addResult: (result: BatchResult) => void;
  /** Resolves when added results are durable. */
  readonly flush: () => Promise<void>;
  readonly notice: Pick<WaitingNotice, 'onReply' | 'onEnd'>;
  /** Left out where the batch is not run to its end. */
  readonly lateness?: Pick<Lateness, 'submissionProgressed' | 'submissionEnded'>;
  /** Whether what was submitted is no longer needed: it is cancelled, and nothing is submitted. */
  readonly isCancelled: boolean;
  /** Called when `isWaiting` changes. */
  readonly onChange: () => void;
}

export async function openForwarding(run: BatchRun, init: ForwardingInit): Promise<Forwarding> {
  const { server, batches, lease, memory } = run;
  const { record, signal, taken, notice } = init;
  const { batch } = record;
  const stored = await batches.forwarding(batch.id);
  let forwarding: BatchForwarding = stored;
  /** Preparations, and submissions that are followed. One that failed remains. */
  const tasks = new Set<Promise<void>>();
  let isClosed = false;
  /** Whether lines were freed since `settle` said so. */
  let isFreed = false;
  /** Whether an upstream ran none of the lines that were submitted, which own capacity runs instead. */
  let isRefused = false;
  let busy = 0;
  /** One after the other, so that each write contains the previous one. */
  const writes = createSemaphore(1);
  const preparing = createSemaphore(1);
  const uploads = createSemaphore(maxConcurrentUploads);
  const lineSlots = createSemaphore(maxConcurrentLines);
  /** Lines that have had a result before. */
  const answered = new Set(taken);
  const maxReplyLength = server.options.maxBufferedBytes * maxMemoryShare;

  async function store(change: (current: BatchForwarding) => BatchForwarding): Promise<void> {
    await writes.run(async () => {
      const next = change(forwarding);
      if (!(await batches.setForwarding(batch.id, lease, next))) throw new JobAborted('lost');
      forwarding = next;
    });
  }
  async function whileBusy<Result>(work: () => Promise<Result>): Promise<Result> {
    busy++;
    init.onChange();
    try {
      return await work();
    } finally {
      busy--;
      init.onChange();
    }
  }

  /** Runs a line as far as its request to an upstream, or from the reply on. */
  async function runLine(
    text: string,
    exchange: { readonly upstream: string; readonly reply?: LineReply['reply'] },
  ): Promise<{ readonly customId: string; readonly model: unknown; readonly reply: InternalReply }> {
    const client = new ClientConnection();
    const onAbort = (): void => client.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const reserved = memory.reserve();
    try {
      await reserved.acquire(text.length, signal);
      const { custom_id: customId, body } = await parseValidatedLine(text);
      const { upstream, reply } = exchange;
      const result = await executeLine(body, {
        server,
        dispatch: init.dispatch,
        principal: init.principal,
        batchLine: { batch: batch.id, customId },
        createExchange: () => (reply ? repliedExchange(upstream, reply) : recordingExchange(upstream)),
        hasFinalReply: reply !== undefined && reply.status >= 400,
        client,
        slots: withoutSlots,
        acquireSlot: () => Promise.resolve(() => undefined),
        onStateChange: () => signal.throwIfAborted(),
        onReply: (error, isFinal) => notice.onReply(client, error, isFinal),
      });
      return { customId, model: body['model'] ?? server.options.defaultModel, reply: result };
    } finally {
      signal.removeEventListener('abort', onAbort);
      notice.onEnd(client);
      reserved.release();
    }
  }
  function addReply(line: number, customId: string, reply: InternalReply): void {
    const text = responseLine(customId, reply, server.createId);
    init.addResult({ line, failed: reply.error !== undefined, text });
  }
  /** Calls `work` for lines of the input, several at a time. */
  async function forEachLine(
    lines: readonly number[],
    work: (line: number, text: string) => Promise<void>,
  ): Promise<void> {
    if (lines.length === 0) return;
    const running = new Set<Promise<void>>();
    const failed = Promise.withResolvers<never>();
    failed.promise.catch(() => undefined);
    let index = 0;
    for await (const text of readLines(run, batch, await linePlanOf(run, batch), lines)) {
      const line = lines[index++] ?? 0;
      const release = await Promise.race([lineSlots.acquire(signal), failed.promise]);
      const one = work(line, text)
        .catch(failed.reject)
        .finally(() => {
          release();
          running.delete(one);
        });
      running.add(one);
    }
    await Promise.race([Promise.all(running), failed.promise]);
  }

  async function prepare(
    lines: readonly number[],
    providerOf: (text: string) => Promise<BatchProvider | undefined>,
  ): Promise<void> {
    const inputs = new Map<string, PreparedLines>();
    const adding = createSemaphore(1);
    function submitInput(key: string): void {
      const input = inputs.get(key);
      inputs.delete(key);
      if (input) void track(uploads.run(() => submitLines(input), signal));
    }
    /** Adds a line to the input for its provider and model. One that is full, or one too many, is submitted before. */
    async function add(init: Pick<PreparedLines, 'provider' | 'model' | 'endpoint'>, line: number, bytes: Uint8Array) {
      const key = JSON.stringify([init.provider.upstream, init.model, init.endpoint]);
      if (inputs.get(key)?.isFull(bytes.length)) submitInput(key);
      const [oldest] = inputs.keys();
      if (!inputs.has(key) && oldest !== undefined && inputs.size >= maxOpenInputs) submitInput(oldest);
      const input = inputs.get(key) ?? createPreparedLines(run, { ...init, signal });
      inputs.set(key, input);
      await input.add(line, bytes);
    }
    await store((current) => ({ ...current, preparations: current.preparations + 1 }));
    try {
      await forEachLine(lines, async (line, text) => {
        const provider = await providerOf(text);
        if (!provider) return;
        taken.add(line);
        const { customId, model, reply } = await runLine(text, provider);
        if (!(reply.error instanceof LineRecorded)) {
          addReply(line, customId, reply);
          return;
        }
        const endpoint = `/v1${reply.error.request.path}`;
        const bytes = preparedLine(line, endpoint, reply.error.request);
        await adding.run(() => add({ provider, model: String(model), endpoint }, line, bytes));
      });
      for (const key of inputs.keys()) submitInput(key);
    } finally {
      await Promise.all([...inputs.values()].map((input) => input.discard()));
      // Only a crash leaves the count of preparations as it is.
      await store((current) => ({ ...current, preparations: 0 })).catch(() => undefined);
    }
  }
  async function submitLines(input: PreparedLines): Promise<void> {
    const { provider, model, endpoint } = input;
    try {
      const { segment, lines } = await input.close();
      const key = randomId('submission_');
      const content = () => blobStorage(server).blobs.read(segment.key);
      const upload = { filename: `${key}.jsonl`, bytes: segment.bytes };
      const fileId = await untilAvailable(context, () =>
        provider.upload({ ...upload, content: content() }, signal),
      ).catch(async (error: unknown) => {
        if (!(error instanceof RequestError)) throw error;
        await conclude(provider, refusedBy(error), linesIn(lines));
      });
      if (fileId === undefined) return;
      const submittedAt = nowInSeconds(server.clock);
      const submission = { key, upstream: provider.upstream, model, endpoint, fileId, submittedAt, lines };
      await store((current) => ({ ...current, submissions: [...current.submissions, submission] }));
      watch(submission, true);
    } finally {
      await input.discard();
    }
  }

  const context: SubmissionContext = {
    server,
    signal,
    notice,
    endpoint: batch.endpoint,
    isCancelled: init.isCancelled,
    onProgress(submission, endedLines) {
      const total = linesIn(submission.lines).length;
      init.lateness?.submissionProgressed(submission, { ended: Math.min(endedLines, total), total });
    },
    async onCreated({ key }, batchId) {
      const withId = (one: BatchSubmission) => (one.key === key ? { ...one, batchId } : one);
      await store((current) => ({ ...current, submissions: current.submissions.map(withId) }));
    },
  };

  const watch = (submission: BatchSubmission, isNew: boolean): void => void track(follow(submission, isNew));
  /** `settle` waits for the task, and throws its error. */
  function track(task: Promise<void>): Promise<void> {
    const tracked = task.then(() => void tasks.delete(tracked)).finally(init.onChange);
    tracked.catch(() => undefined);
    tasks.add(tracked);
    return tracked;
  }
  /** Follows a submission to its end, and removes it. */
  async function follow(submission: BatchSubmission, isNew: boolean): Promise<void> {
    const { provider, end } = await runSubmission(context, submission, isNew);
    init.lateness?.submissionEnded(submission);
    const lines = linesIn(submission.lines).filter((line) => !answered.has(line));
    await conclude(provider, end, lines, async () => {
      await removeFiles(provider, [submission.fileId, ...end.resultFiles]);
      const isOther = ({ key }: BatchSubmission): boolean => key !== submission.key;
      await store((current) => ({ ...current, submissions: current.submissions.filter(isOther) }));
    });
  }
  /** Stores what an upstream says about the lines. Those that it has not run are free again, after `remove`. */
  async function conclude(
    provider: BatchProvider,
    end: SubmissionEnd,
    lines: readonly number[],
    remove: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    let missing: readonly number[] = [];
    await whileBusy(async () => {
      const { replied, notRun } = await collect(provider, end.resultFiles, lines);
      missing = lines.filter((line) => !replied.has(line));
      const failure = failureOf(end, provider);
      if (failure) {
        await failLines(
          missing.filter((line) => !notRun.has(line)),
          failure,
        );
        missing = missing.filter((line) => notRun.has(line));
      }
      await init.flush();
      signal.throwIfAborted();
    });
    // Where no line was run, the next submission would end in the same way.
    if (missing.length > 0 && missing.length === lines.length) {
      if (provider.hasOwnCapacity) isRefused = true;
      else await sleep(server.options.jobTimes.batchPollMs, signal);
    }
    await remove();
    for (const line of missing) taken.delete(line);
    isFreed ||= missing.length > 0;
  }
  /** The files expire by themselves, if the upstream does not delete them now. */
  async function removeFiles(provider: BatchProvider, files: readonly string[]): Promise<void> {
    for (const file of files) {
      await provider.deleteFile(file, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        server.options.report('a file of a batch was not deleted at its upstream', error);
      });
    }
  }
  async function collect(provider: BatchProvider, files: readonly string[], lines: readonly number[]) {
    const awaited = new Set(lines);
    const known = { replied: new Set<number>(), notRun: new Set<number>() };
    let skipped = 0;
    for (const file of files) {
      // An interrupted download starts again: lines with a result keep it.
      await untilAvailable(context, async () => {
        const bytes = provider.download(file, signal);
        for await (const some of readReplies(bytes, { maxLength: maxReplyLength, onSkipped: () => skipped++ })) {
          const replies = new Map<number, NonNullable<LineReply['reply']>>();
          for (const { line, reply } of some) {
            if (!awaited.has(line)) skipped++;
            else if (!reply) known.notRun.add(line);
            else if (!known.replied.has(line) && !replies.has(line)) replies.set(line, reply);
          }
          if (replies.size === 0) continue;
          await forEachLine([...replies.keys()], async (line, text) => {
            const { customId, reply } = await runLine(text, {
              upstream: provider.upstream,
              reply: replies.get(line),
            });
            addReply(line, customId, reply);
            known.replied.add(line);
          });
          // What is not stored yet is in memory.
          await init.flush();
        }
      }).catch((error: unknown) => {
        // The file is gone.
        if (!(error instanceof RequestError)) throw error;
        server.options.report('a file with results of an upstream could not be read', error);
      });
    }
    if (skipped > 0)
      server.options.report('results of an upstream were not used', new Error(`${skipped} lines of its files`));
    return known;
  }
  async function failLines(lines: readonly number[], failure: { code: string; message: string }): Promise<void> {
    await forEachLine(lines, async (line, text) => {
      const { custom_id } = await parseValidatedLine(text);
      init.addResult({ line, failed: true, text: failedLine(custom_id, failure, server.createId) });
    });
  }

  for (const submission of stored.submissions) {
    for (const line of linesIn(submission.lines)) taken.add(line);
    watch(submission, false);
  }

  async function startPreparing(...init: Parameters<typeof prepare>): Promise<void> {
    if (init[0].length > 0) await track(whileBusy(() => preparing.run(() => prepare(...init))));
  }
  const mayPrepare = (): boolean =>
    !isClosed && !isRefused && forwarding.preparations < maxCrashes && !init.isCancelled;

  return {
    async submitRequired({ order }) {
      const isRequired = (model: unknown): BatchProvider | undefined => {
        const [provider] = providersOf(server, batch.endpoint, model);
        return provider?.hasOwnCapacity === false ? provider : undefined;
      };
      const ofBatch = isRequired(batch.model);
      if (!mayPrepare() || (typeof batch.model === 'string' && !ofBatch)) return;
      await startPreparing(
        order.filter((line) => !taken.has(line)),
        async (text) => ofBatch ?? isRequired((await parseValidatedLine(text)).body['model']),
      );
    },
    async submit(lines) {
      const [provider] = providersOf(server, batch.endpoint, batch.model);
      if (!provider?.hasOwnCapacity || !mayPrepare()) return;
      for (const line of lines) taken.add(line);
      await startPreparing([...lines], () => Promise.resolve(provider));
    },
    async settle() {
      init.onChange();
      while (!isFreed && tasks.size > 0) await Promise.race(tasks);
      const hasFreed = isFreed;
      isFreed = false;
      isClosed = !hasFreed;
      return hasFreed;
    },
    isWaiting: () => tasks.size > 0 && busy === 0,
    async stopped() {
      await Promise.allSettled(tasks);
    },
  };
}

/** A line reaches no engine here. */
const withoutSlots = { startLine: () => () => undefined, isContended: false };

/** Codes of batches that the upstream may accept later. */
const temporaryCode = /limit|quota|capacity|unavailable|timeout|internal|server_error/;

/** The error of lines that have no reply after the end of their batch; undefined if they are run again. */
function failureOf({ status, error }: SubmissionEnd, { upstream, hasOwnCapacity }: BatchProvider) {
  if (status === 'completed') {
    const message = `The upstream '${upstream}' completed its batch without a result of this request.`;
    return { code: 'upstream_result_missing', message };
  }
  if (status !== 'failed' || hasOwnCapacity) return undefined;
  const { code = 'upstream_batch_failed', message = `The upstream '${upstream}' rejected the batch.` } = error ?? {};
  return temporaryCode.test(code) ? undefined : { code, message };
}
