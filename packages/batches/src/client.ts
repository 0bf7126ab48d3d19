import { createTransport } from '@modelwire/core';
import type { CallOptions, ClientOptions } from '@modelwire/core';
import { createFiles } from '@modelwire/files';
import type { Batch, BatchEndpoint } from '@modelwire/schema/types';
import { createCalls } from './calls.ts';
import type { BatchCalls } from './calls.ts';
import { createCollector } from './collector.ts';
import type { BatchCollector, CollectOptions } from './collector.ts';
import type { BatchResult } from './lines.ts';
import { readResults } from './results.ts';
import { runBatch } from './run.ts';
import type { BatchRunOptions } from './run.ts';

/** Options of a transport, or a transport that is shared with other clients. */
export type BatchesOptions = ClientOptions;

export interface BatchesClient extends BatchCalls {
  /**
   * Reads the results of a batch that has ended: first of successful requests, then of failed ones. Reads line by line, with one
   * line in memory, and resumes when the connection fails.
   */
  results<E extends BatchEndpoint>(
    batch: Batch | string,
    options?: CallOptions,
  ): AsyncGenerator<BatchResult<E>, void, undefined>;
  /** All results in memory, by `custom_id`. */
  resultsById<E extends BatchEndpoint>(
    batch: Batch | string,
    options?: CallOptions,
  ): Promise<Map<string, BatchResult<E>>>;
  /**
   * Runs a batch in one loop: sends the requests as a file, creates the batch, waits, and yields the results. Nothing is sent before
   * the loop starts. Throws a `BatchFailedError` when the server rejects the input.
   */
  run<E extends BatchEndpoint>(options: BatchRunOptions<E>): AsyncGenerator<BatchResult<E>, void, undefined>;
  /**
   * Gathers requests that are made one by one, by number and time, to one batch for each model: `create` has the parameters and the result of
   * the endpoint, by default `/v1/chat/completions`. Throws an `InputError` for an invalid `maxSize`.
   */
  collect(options?: CollectOptions): BatchCollector<'/v1/chat/completions'>;
  collect<E extends BatchEndpoint>(options: CollectOptions & { readonly endpoint: E }): BatchCollector<E>;
}

/** Creates a client for batches. Throws an `InputError` for an invalid base URL. */
export function createBatches(options: BatchesOptions = {}): BatchesClient {
  const transport = createTransport(options);
  const files = createFiles(transport);
  const calls = createCalls(transport);

  async function* results<E extends BatchEndpoint>(
    batch: Batch | string,
    options?: CallOptions,
  ): AsyncGenerator<BatchResult<E>, void, undefined> {
    const current = typeof batch === 'string' ? await calls.retrieve(batch, options) : batch;
    yield* readResults<E>(files, current, options, transport.inspect);
  }

  const run = <E extends BatchEndpoint>(options: BatchRunOptions<E>) =>
    runBatch(calls, files, options, transport.inspect);

  return {
    ...calls,
    results,
    run,
    collect: <E extends BatchEndpoint>({ endpoint, ...options }: CollectOptions & { readonly endpoint?: E } = {}) =>
      createCollector<E | '/v1/chat/completions'>(run, endpoint ?? '/v1/chat/completions', options),
    async resultsById<E extends BatchEndpoint>(batch: Batch | string, options?: CallOptions) {
      const byId = new Map<string, BatchResult<E>>();
      for await (const result of results<E>(batch, options)) byId.set(result.custom_id, result);
      return byId;
    },
  };
}
