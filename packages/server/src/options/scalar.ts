// Generated from definitions.ts by `npm run docs`. Do not edit.

/** The options of `createServer` that are plain values. */
export interface ScalarOptions {
  /** Model for chat requests without `model`. By default such requests get a 400. */
  readonly defaultModel?: string;
  /** Maximum number of concurrent requests to an engine, unless the engine sets its own. Default `2048`. */
  readonly engineConcurrency?: number;
  /** Maximum number of requests that wait for an engine; further ones get a 503. Default `8192`. */
  readonly maxQueuedRequests?: number;
  /** Milliseconds that a request may wait for an engine before it gets a 503. Default `60000`. */
  readonly queueTimeoutMs?: number;
  /** Maximum number of requests to a model for one choice whose text or tool call does not match what the request requires, before it fails with `invalid_output`. Default `3`. */
  readonly structuredOutputAttempts?: number;
  /** Service tier of requests with `service_tier: "auto"`. Default `'default'`. */
  readonly defaultServiceTier?: 'default' | 'flex' | 'priority';
  /** Maximum size of a JSON body; larger ones get a 413. Default `33554432`. */
  readonly maxBodyBytes?: number;
  /** Maximum size of all request bodies in memory together; beyond it requests get a 503. Responses that clients do not read may take as much again. Default `268435456`. */
  readonly maxBufferedBytes?: number;
  /** Milliseconds from the creation of an upload until it expires. Default `3600000`. */
  readonly uploadExpiresMs?: number;
  /** Milliseconds without a byte of the request body before the request gets a 408. Default `30000`. */
  readonly uploadIdleTimeoutMs?: number;
  /** Milliseconds that receiving a request body may take in total. Default `3600000`. */
  readonly uploadTimeoutMs?: number;
  /** Minimum transfer rate of a request body; slower requests get a 408. Default `60000`. */
  readonly minUploadBytesPerMinute?: number;
  /** Maximum number of multipart forms received at the same time; further ones get a 503. With S3, each one buffers about 8 MiB. Default `64`. */
  readonly maxConcurrentUploads?: number;
  /** Milliseconds that a client may read nothing of a response before its connection is closed. Default `120000`. */
  readonly writeTimeoutMs?: number;
  /** The same timeout for a stream that occupies an engine while other requests wait for it. Default `10000`. */
  readonly contendedWriteTimeoutMs?: number;
  /** Milliseconds after which a stream without events gets a comment, also while the request waits for an engine, so that no proxy closes the connection. Status and headers are sent with the first one. 0: never. Default `15000`. */
  readonly streamKeepAliveMs?: number;
  /** Milliseconds that the event loop may be blocked before a warning is reported. Default `200`. */
  readonly eventLoopStallMs?: number;
  /** Maximum number of images in a moderation request, or in the messages of a moderated chat request; more get a 400. Default `16`. */
  readonly maxModerationImages?: number;
  /** Seconds during which later requests can reference generated audio by its ID. Default `3600`. */
  readonly audioExpiresSeconds?: number;
  /** Seconds after its completion at which a video is deleted. Default `604800`. */
  readonly videoExpiresSeconds?: number;
  /** Days after which stored completions are deleted. By default they are kept. */
  readonly completionRetentionDays?: number;
  /** Whether messages of the Anthropic Messages API are stored as chat completions, except those with other inputs than text and images. The header `x-modelwire-store` of a request, `true` or `false`, decides for it. Default `false`. */
  readonly storeMessages?: boolean;
  /** Days after which stored responses are deleted. Responses of one `previous_response_id` chain are deleted together, by the age of the newest. Default `30`. */
  readonly responseRetentionDays?: number;
  /** Number of days for which the request log is kept. It records requests to models that leave no stored completion, without their content. By default, the log is off, and entries from before are deleted. */
  readonly requestLogRetentionDays?: number;
  /** Maximum number of background responses that this server generates at the same time; further ones stay queued. Default `64`. */
  readonly maxBackgroundResponses?: number;
  /** Maximum number of concurrent batch lines of each model in this server. `auto` finds as many as the engine can do besides other requests. Default `'auto'`. */
  readonly batchConcurrency?: number | 'auto';
  /** Maximum number of batches of one project that this server runs at the same time, out of 32 in total. Default `4`. */
  readonly maxBatchesPerProject?: number;
  /** Rate limit for the batch lines of each project; lines beyond it wait. They do not count towards the limits of keys. By default unlimited. */
  readonly batchRequestsPerMinute?: number;
  /** Token limit for the batch lines of each project; lines beyond it wait. They do not count towards the limits of keys. By default unlimited. */
  readonly batchTokensPerMinute?: number;
  /** Seconds that cancelling a batch may take. Running lines are aborted after 90 % of it; the rest is for writing the results. Default `600`. */
  readonly batchCancelTimeoutSeconds?: number;
  /** What happens to batch lines that a budget refuses: `pause` retries them at least once a minute until the batch expires, `fail` fails them with `insufficient_quota`. Default `'pause'`. */
  readonly batchBudgetExceeded?: 'pause' | 'fail';
  /** Seconds for which a batch line with an unknown model is retried while an upstream that may have the model cannot be asked; then it fails. Default `3600`. */
  readonly batchUnknownModelSeconds?: number;
  /** Milliseconds before the first retry of a batch line that an engine refused temporarily; doubled for each retry, up to a minute. Default `500`. */
  readonly batchRetryDelayMs?: number;
  /** Tools and input items of response and message requests that only hosted services run, such as `file_search`: the model does not see them and a header names them, or a 400. A tool choice that forces one is always a 400. Default `'omit'`. */
  readonly hostedTools?: 'omit' | 'refuse';
  /** Unknown request fields: a 400 that names them, or passed on to the engine. Default `'refuse'`. */
  readonly unknownFields?: 'refuse' | 'keep';
  /** Also serve every path without `/v1`, for clients whose base URL lacks it. Conflicts with paths such as `/files` in an app that mounts the server. Default `false`. */
  readonly unversionedPaths?: boolean;
  /** Version in the OpenAPI document. Default `'1'`. */
  readonly version?: string;
}
