import type { BatchRecord } from '@modelwire/ports';
import { internalDispatchOf } from '../../http/internal-request.ts';
import { JobAborted } from '../../jobs/job-aborted.ts';
import { unrefTimeout } from '../../timers.ts';
import { principalOfLines } from './batch-run.ts';
import type { BatchRun } from './batch-run.ts';
import { openForwarding } from './forwarding.ts';
import { InputLostError } from './input.ts';
import { createResultWriter } from './result-writer.ts';

/** The part of `batchCancelTimeoutSeconds` in which lines may end. The rest is for writing the results, which takes seconds for 50,000 lines. */
export const endingShare = 0.9;
/** Milliseconds in any case, such as after all servers were down. */
const minMs = 10_000;

/**
 * Cancels what a batch that ends has submitted to upstreams, and stores the results of the lines that were run there. What an upstream does not end
 * in the time for cancellations after `endedAt` (Unix seconds) is given up.
 */
export async function withdrawSubmissions(run: BatchRun, record: BatchRecord, endedAt: number): Promise<void> {
  const { server, batches, lease } = run;
  const { id, endpoint } = record.batch;
  if ((await batches.forwarding(id)).submissions.length === 0) return;
  const untilMs = (endedAt + server.options.batchCancelTimeoutSeconds * endingShare) * 1000;
  const giveUp = new AbortController();
  const clearTimer = unrefTimeout(Math.max(minMs, untilMs - server.clock.now()), () => giveUp.abort());
  let failure: { readonly error: unknown } | undefined;
  const results = createResultWriter({
    async store(some) {
      if ((await batches.addResults(id, lease, some)) === undefined) throw new JobAborted('lost');
    },
    onStored: () => undefined,
    onError(error) {
      failure = { error };
      giveUp.abort();
    },
  });
  const forwarding = await openForwarding(run, {
    record,
    principal: principalOfLines(record, run),
    dispatch: internalDispatchOf(server, endpoint),
    signal: AbortSignal.any([run.signal, giveUp.signal]),
    taken: new Set(),
    addResult: (result) => results.add(result),
    flush: () => results.flush(),
    notice: { onReply: () => undefined, onEnd: () => undefined },
    isCancelled: true,
    onChange: () => undefined,
  });
  try {
    while (await forwarding.settle());
  } catch (error) {
    run.signal.throwIfAborted();
    if (!giveUp.signal.aborted && !(error instanceof InputLostError)) throw error;
    server.options.report('an upstream did not end a batch that was cancelled', error);
  } finally {
    clearTimer();
    giveUp.abort();
    await forwarding.stopped();
    await results.flush();
  }
  if (failure) throw failure.error;
  await batches.setForwarding(id, lease, { submissions: [], preparations: 0 });
}
