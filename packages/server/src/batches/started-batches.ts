import type { BatchStore } from '@modelwire/ports';
import type { Batch, BatchEndpoint } from '@modelwire/schema/types';
import type { BatchLine } from '../call.ts';
import type { ServerContext } from '../context.ts';
import { sha256 } from '../digest.ts';
import { RequestError } from '../errors.ts';
import { sleep } from '../timers.ts';
import { requestCancellation } from './request-cancellation.ts';
import { hasEnded } from './status.ts';

type StartingLine = Pick<BatchLine, 'batch' | 'customId'>;

/** Key of the metadata of a batch that a line has started: the ID of the batch of the line. */
export const startedByKey = 'modelwire_started_by';
/** Key of the metadata of the last batch that a line starts. */
export const isLastKey = 'modelwire_is_last';
/** Key of the metadata of a batch that a comparison has started: the index of the scorer whose requests it runs. */
export const scorerKey = 'modelwire_scorer';
/** Metadata that requests cannot set. */
export const reservedKeys: ReadonlySet<string> = new Set([startedByKey, isLastKey, scorerKey]);

export const rerunEndpoint = '/v1/datasets/rerun';

/** The endpoints whose lines start batches. */
const startingEndpoints: ReadonlySet<string> = new Set<BatchEndpoint>(['/v1/datasets/compare', rerunEndpoint]);

/** The ID of a batch that a line starts, or of its input file. It is derived from the line: one that runs again after a crash finds them. */
export async function startedId(
  prefix: 'batch_' | 'file-',
  { batch, customId }: StartingLine,
  index: number,
): Promise<string> {
  return `${prefix}${(await sha256(JSON.stringify([batch, customId, index]))).slice(0, 32)}`;
}

/** The batches that a line has started so far, in their order. */
export async function startedBatches(
  line: StartingLine,
  batches: Pick<BatchStore, 'get'>,
): Promise<{ readonly started: readonly Batch[]; readonly areAllStarted: boolean }> {
  const started: Batch[] = [];
  for (;;) {
    const found = await batches.get(await startedId('batch_', line, started.length));
    if (!found) return { started, areAllStarted: started.at(-1)?.metadata?.[isLastKey] !== undefined };
    started.push(found.batch);
  }
}

/** Cancels what a line has started, because it will not run again. @param endpoint That of the line. */
export async function cancelStarted(
  line: StartingLine,
  endpoint: string,
  batches: Pick<BatchStore, 'get' | 'replace'>,
  server: Pick<ServerContext, 'clock' | 'wakeWorker'>,
): Promise<void> {
  if (!startingEndpoints.has(endpoint)) return;
  const { started } = await startedBatches(line, batches);
  for (const { id } of started) await requestCancellation(id, batches, server);
}

const pollMs = 1000;

/** Ends an attempt of a line that waits for batches that it has started. */
export class LineWaiting extends RequestError {
  readonly #ids: readonly string[];
  readonly #batches: Pick<BatchStore, 'get'>;

  constructor(ids: readonly string[], batches: Pick<BatchStore, 'get'>) {
    super(`The line waits for batches that it started: ${ids.join(', ')}.`, {
      status: 503,
      code: 'waiting_for_batches',
    });
    this.#ids = ids;
    this.#batches = batches;
  }

  /** Resolves when all of them have ended. */
  async untilEnded(signal: AbortSignal): Promise<void> {
    const isRunning = async (id: string): Promise<boolean> => {
      const found = await this.#batches.get(id);
      return found !== undefined && !hasEnded(found.batch);
    };
    for (const id of this.#ids) while (await isRunning(id)) await sleep(pollMs, signal);
  }
}
