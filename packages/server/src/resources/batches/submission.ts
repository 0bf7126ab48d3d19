import { backoffMs } from '@modelwire/adapter-kit';
import type { BatchProvider, BatchSubmission, ProviderBatch } from '@modelwire/ports';
import type { ServerContext } from '../../context.ts';
import { RequestError } from '../../errors.ts';
import { sleep } from '../../timers.ts';
import { requestedDelayMs } from './execute-line.ts';
import { providersOf } from './providers.ts';
import type { WaitingNotice } from './waiting-notice.ts';

export interface SubmissionContext {
  readonly server: ServerContext;
  readonly signal: AbortSignal;
  readonly notice: Pick<WaitingNotice, 'onReply' | 'onEnd'>;
  /** Endpoint of the batch here. */
  readonly endpoint: string;
  /** Whether what was submitted is no longer needed: it is cancelled. */
  readonly isCancelled: boolean;
  /** Called with how many lines have ended at the upstream, where it says so. */
  readonly onProgress: (submission: BatchSubmission, endedLines: number) => void;
  /** Stores the ID of the batch at the upstream. */
  readonly onCreated: (submission: BatchSubmission, batchId: string) => Promise<void>;
}

export type SubmissionEnd = Pick<ProviderBatch, 'status' | 'error' | 'resultFiles'>;

/**
 * Creates the batch at the upstream, unless it exists, and waits until it has ended. A batch whose creation may have been lost is looked for before
 * it is created again. `isNew`: no attempt was made to create it.
 */
export async function runSubmission(
  context: SubmissionContext,
  submission: BatchSubmission,
  isNew: boolean,
): Promise<{ readonly provider: BatchProvider; readonly end: SubmissionEnd }> {
  const { server, signal, endpoint, isCancelled } = context;
  const provider = await untilAvailable(context, () => {
    const found = providersOf(server, endpoint, submission.model).find(
      ({ upstream }) => upstream === submission.upstream,
    );
    return found ? Promise.resolve(found) : Promise.reject(upstreamMissing(submission.upstream));
  });
  let mayExist = !isNew;
  async function findOrCreate(): Promise<ProviderBatch | SubmissionEnd> {
    const [first, ...others] = mayExist ? await provider.find(submission, signal) : [];
    // A worker that had lost its lease may have created another one.
    for (const { id } of others) await provider.cancel(id, signal);
    if (first) return first;
    if (isCancelled) return nothingRun;
    mayExist = true;
    try {
      return await provider.create(submission, signal);
    } catch (error) {
      if (error instanceof RequestError && !isTemporary(error)) return refusedBy(error);
      throw error;
    }
  }

  let { batchId } = submission;
  if (batchId === undefined) {
    const created = await untilAvailable(context, findOrCreate);
    if (!('id' in created)) return { provider, end: created };
    batchId = created.id;
    await context.onCreated(submission, batchId);
  }
  const id = batchId;
  if (isCancelled) await untilAvailable(context, () => provider.cancel(id, signal));
  const { pollMs, batchPollMs } = server.options.jobTimes;
  let missingPolls = 0;
  for (let poll = 1; ; poll++) {
    const batch = await untilAvailable(context, () => provider.retrieve(id, signal));
    if (batch && batch.status !== 'running') return { provider, end: batch };
    if (batch?.endedLines !== undefined) context.onProgress(submission, batch.endedLines);
    missingPolls = batch ? 0 : missingPolls + 1;
    if (missingPolls === maxMissingPolls) return { provider, end: lost };
    await sleep(backoffMs(poll, { firstMs: pollMs, maxMs: batchPollMs }), signal);
  }
}

/** Polls in succession that do not find a batch, after which it is lost. */
const maxMissingPolls = 5;
/** The end of a batch that was not created. */
const nothingRun: SubmissionEnd = { status: 'ended', error: undefined, resultFiles: [] };
/** The end of a batch that the upstream has forgotten: its lines may have been run. */
const lost: SubmissionEnd = { status: 'completed', error: undefined, resultFiles: [] };

export function refusedBy({ code, message }: RequestError): SubmissionEnd {
  return { status: 'failed', error: { code, message }, resultFiles: [] };
}

function upstreamMissing(upstream: string): RequestError {
  return new RequestError(`The upstream '${upstream}', which has lines of this batch, is not configured.`, {
    status: 503,
    code: 'upstream_unavailable',
  });
}

/** Whether the upstream may accept the request later: it is down or overloaded, or the credentials of this server are to be corrected. */
function isTemporary({ status }: RequestError): boolean {
  return status >= 500 || status === 429 || status === 408 || status === 409;
}

/** Repeats a request until the upstream answers it. The batch says what it waits for. @throws other errors, and the reason of the signal. */
export async function untilAvailable<Result>(
  { signal, notice, server }: Pick<SubmissionContext, 'signal' | 'notice' | 'server'>,
  request: () => Promise<Result>,
): Promise<Result> {
  const wait = {};
  const { retryMs, batchPollMs } = server.options.jobTimes;
  try {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted();
      try {
        return await request();
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof RequestError) || !isTemporary(error)) throw error;
        notice.onReply(wait, error, false);
        const delayMs = backoffMs(attempt, { firstMs: retryMs, maxMs: batchPollMs });
        await sleep(Math.min(batchPollMs, Math.max(delayMs, requestedDelayMs(error.headers))), signal);
      }
    }
  } finally {
    notice.onEnd(wait);
  }
}
