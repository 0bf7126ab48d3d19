/** The batch API of an upstream, for the lines of one model. Throws a `RequestError` with the reason of the upstream. */
export interface BatchProvider {
  /** Name of the upstream. */
  readonly upstream: string;
  /** Whether other upstreams serve the model too: lines that they can run in time are not submitted. */
  readonly hasOwnCapacity: boolean;
  /** Stores the input of a batch. Resolves with the ID of the file. */
  upload(input: BatchInput, signal: AbortSignal): Promise<string>;
  /** Creates a batch. The upstream may have created it even if this rejects. */
  create(batch: ProviderBatchInit, signal: AbortSignal): Promise<ProviderBatch>;
  /** The batches that were created with this key, the oldest first. */
  find(batch: Pick<ProviderBatchInit, 'key' | 'submittedAt'>, signal: AbortSignal): Promise<readonly ProviderBatch[]>;
  /** Undefined if the upstream does not have the batch. */
  retrieve(id: string, signal: AbortSignal): Promise<ProviderBatch | undefined>;
  /** Cancels a batch; without effect if it has ended. */
  cancel(id: string, signal: AbortSignal): Promise<void>;
  /** The bytes of a file with results. */
  download(fileId: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Deletes a file; without effect if the upstream does not have it. */
  deleteFile(id: string, signal: AbortSignal): Promise<void>;
}

export interface BatchInput {
  readonly filename: string;
  readonly bytes: number;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface ProviderBatchInit {
  /** Unique. The metadata of the batch has it. */
  readonly key: string;
  readonly fileId: string;
  readonly endpoint: string;
  /** Unix seconds, before the first attempt to create the batch. */
  readonly submittedAt: number;
}

export interface ProviderBatch {
  readonly id: string;
  /** `failed`: the upstream rejected the input, and ran no line. `ended`: it expired or was cancelled, and there may be results. */
  readonly status: 'running' | 'completed' | 'ended' | 'failed';
  /** Why it failed. */
  readonly error: { readonly code: string; readonly message: string } | undefined;
  /** The number of lines that have ended so far; undefined if the upstream does not say it. */
  readonly endedLines?: number | undefined;
  /** IDs of the files with results and with errors. */
  readonly resultFiles: readonly string[];
}

/** Replaces the exchange of a request with an upstream: the request is recorded as a line of a batch, or has a reply of one. */
export interface BatchExchange {
  /** Name of the upstream. */
  readonly upstream: string;
  /** Whether there is a reply: the upstream has done the work. */
  readonly isReplied: boolean;
  /** The reply to the request; undefined if it has to be sent. @throws what ends a request that was recorded. */
  reply(request: BatchedRequest): BatchedReply | undefined;
}

/** A request without streaming. */
export interface BatchedRequest {
  /** Below the version prefix, such as `/chat/completions`. */
  readonly path: string;
  /** JSON. */
  readonly body: string;
}

export interface BatchedReply {
  readonly status: number;
  /** JSON. */
  readonly body: string;
}

/** The batch and the line of a request that is a line of a batch. */
export interface EngineBatchLine {
  readonly batch: string;
  readonly customId: string;
  /** For engines with a `batchProvider`. */
  readonly exchange?: BatchExchange | undefined;
}
