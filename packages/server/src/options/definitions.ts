import { BATCH_CANCEL_MAX_SECONDS, MODERATION_IMAGES_MAX } from '@modelwire/schema';

export type OptionDefinition =
  | { readonly type: 'integer'; readonly minimum: 0 | 1; readonly default?: number; readonly description: string }
  | { readonly type: 'integerOrAuto'; readonly minimum: 1; readonly default: 'auto'; readonly description: string }
  | { readonly type: 'boolean'; readonly default: boolean; readonly description: string }
  | { readonly type: 'string'; readonly default?: string; readonly description: string }
  | {
      readonly type: 'enum';
      readonly values: readonly string[];
      readonly default: string;
      readonly description: string;
    };

/**
 * The options of `createServer` that are plain values. This is their only source: `resolveScalarOptions` validates by it and fills in
 * defaults, `npm run docs` generates the interface `ScalarOptions` from it, and the configuration of the server app takes its fields from
 * here.
 */
export const optionDefinitions = {
  defaultModel: {
    type: 'string',
    description: 'Model for chat requests without `model`. By default such requests get a 400.',
  },
  engineConcurrency: {
    type: 'integer',
    minimum: 1,
    default: 2048,
    description: 'Maximum number of concurrent requests to an engine, unless the engine sets its own.',
  },
  maxQueuedRequests: {
    type: 'integer',
    minimum: 0,
    default: 8192,
    description: 'Maximum number of requests that wait for an engine; further ones get a 503.',
  },
  queueTimeoutMs: {
    type: 'integer',
    minimum: 1,
    default: 60_000,
    description: 'Milliseconds that a request may wait for an engine before it gets a 503.',
  },
  structuredOutputAttempts: {
    type: 'integer',
    minimum: 1,
    default: 3,
    description:
      'Maximum number of requests to a model for one choice whose text or tool call does not match what the request requires, before it fails with `invalid_output`.',
  },
  defaultServiceTier: {
    type: 'enum',
    values: ['default', 'flex', 'priority'],
    default: 'default',
    description: 'Service tier of requests with `service_tier: "auto"`.',
  },
  maxBodyBytes: {
    type: 'integer',
    minimum: 1,
    default: 32 * 1024 * 1024,
    description: 'Maximum size of a JSON body; larger ones get a 413.',
  },
  maxBufferedBytes: {
    type: 'integer',
    minimum: 1,
    default: 256 * 1024 * 1024,
    description:
      'Maximum size of all request bodies in memory together; beyond it requests get a 503. Responses that clients do not read may take as much again.',
  },
  uploadExpiresMs: {
    type: 'integer',
    minimum: 1,
    default: 3_600_000,
    description: 'Milliseconds from the creation of an upload until it expires.',
  },
  uploadIdleTimeoutMs: {
    type: 'integer',
    minimum: 1,
    default: 30_000,
    description: 'Milliseconds without a byte of the request body before the request gets a 408.',
  },
  uploadTimeoutMs: {
    type: 'integer',
    minimum: 1,
    default: 3_600_000,
    description: 'Milliseconds that receiving a request body may take in total.',
  },
  minUploadBytesPerMinute: {
    type: 'integer',
    minimum: 1,
    default: 60_000,
    description: 'Minimum transfer rate of a request body; slower requests get a 408.',
  },
  maxConcurrentUploads: {
    type: 'integer',
    minimum: 1,
    default: 64,
    description:
      'Maximum number of multipart forms received at the same time; further ones get a 503. With S3, each one buffers about 8 MiB.',
  },
  writeTimeoutMs: {
    type: 'integer',
    minimum: 1,
    default: 120_000,
    description: 'Milliseconds that a client may read nothing of a response before its connection is closed.',
  },
  contendedWriteTimeoutMs: {
    type: 'integer',
    minimum: 1,
    default: 10_000,
    description: 'The same timeout for a stream that occupies an engine while other requests wait for it.',
  },
  streamKeepAliveMs: {
    type: 'integer',
    minimum: 0,
    default: 15_000,
    description:
      'Milliseconds after which a stream without events gets a comment, also while the request waits for an engine, so that no proxy closes the connection. Status and headers are sent with the first one. 0: never.',
  },
  eventLoopStallMs: {
    type: 'integer',
    minimum: 1,
    default: 200,
    description: 'Milliseconds that the event loop may be blocked before a warning is reported.',
  },
  maxModerationImages: {
    type: 'integer',
    minimum: 1,
    default: MODERATION_IMAGES_MAX,
    description:
      'Maximum number of images in a moderation request, or in the messages of a moderated chat request; more get a 400.',
  },
  audioExpiresSeconds: {
    type: 'integer',
    minimum: 1,
    default: 3600,
    description: 'Seconds during which later requests can reference generated audio by its ID.',
  },
  videoExpiresSeconds: {
    type: 'integer',
    minimum: 1,
    default: 604_800,
    description: 'Seconds after its completion at which a video is deleted.',
  },
  completionRetentionDays: {
    type: 'integer',
    minimum: 1,
    description: 'Days after which stored completions are deleted. By default they are kept.',
  },
  storeMessages: {
    type: 'boolean',
    default: false,
    description:
      'Whether messages of the Anthropic Messages API are stored as chat completions, except those with other inputs than text and images. The header `x-modelwire-store` of a request, `true` or `false`, decides for it.',
  },
  responseRetentionDays: {
    type: 'integer',
    minimum: 1,
    default: 30,
    description:
      'Days after which stored responses are deleted. Responses of one `previous_response_id` chain are deleted together, by the age of the newest.',
  },
  requestLogRetentionDays: {
    type: 'integer',
    minimum: 1,
    description:
      'Number of days for which the request log is kept. It records requests to models that leave no stored completion, without their content. By default, the log is off, and entries from before are deleted.',
  },
  maxBackgroundResponses: {
    type: 'integer',
    minimum: 1,
    default: 64,
    description:
      'Maximum number of background responses that this server generates at the same time; further ones stay queued.',
  },
  batchConcurrency: {
    type: 'integerOrAuto',
    minimum: 1,
    default: 'auto',
    description:
      'Maximum number of concurrent batch lines of each model in this server. `auto` finds as many as the engine can do besides other requests.',
  },
  maxBatchesPerProject: {
    type: 'integer',
    minimum: 1,
    default: 4,
    description: 'Maximum number of batches of one project that this server runs at the same time, out of 32 in total.',
  },
  batchRequestsPerMinute: {
    type: 'integer',
    minimum: 1,
    description:
      'Rate limit for the batch lines of each project; lines beyond it wait. They do not count towards the limits of keys. By default unlimited.',
  },
  batchTokensPerMinute: {
    type: 'integer',
    minimum: 1,
    description:
      'Token limit for the batch lines of each project; lines beyond it wait. They do not count towards the limits of keys. By default unlimited.',
  },
  batchCancelTimeoutSeconds: {
    type: 'integer',
    minimum: 0,
    default: BATCH_CANCEL_MAX_SECONDS,
    description:
      'Seconds that cancelling a batch may take. Running lines are aborted after 90 % of it; the rest is for writing the results.',
  },
  batchBudgetExceeded: {
    type: 'enum',
    values: ['pause', 'fail'],
    default: 'pause',
    description:
      'What happens to batch lines that a budget refuses: `pause` retries them at least once a minute until the batch expires, `fail` fails them with `insufficient_quota`.',
  },
  batchUnknownModelSeconds: {
    type: 'integer',
    minimum: 0,
    default: 3600,
    description:
      'Seconds for which a batch line with an unknown model is retried while an upstream that may have the model cannot be asked; then it fails.',
  },
  batchRetryDelayMs: {
    type: 'integer',
    minimum: 1,
    default: 500,
    description:
      'Milliseconds before the first retry of a batch line that an engine refused temporarily; doubled for each retry, up to a minute.',
  },
  hostedTools: {
    type: 'enum',
    values: ['omit', 'refuse'],
    default: 'omit',
    description:
      'Tools and input items of response and message requests that only hosted services run, such as `file_search`: the model does not see them and a header names them, or a 400. A tool choice that forces one is always a 400.',
  },
  unknownFields: {
    type: 'enum',
    values: ['refuse', 'keep'],
    default: 'refuse',
    description: 'Unknown request fields: a 400 that names them, or passed on to the engine.',
  },
  unversionedPaths: {
    type: 'boolean',
    default: false,
    description:
      'Also serve every path without `/v1`, for clients whose base URL lacks it. Conflicts with paths such as `/files` in an app that mounts the server.',
  },
  version: {
    type: 'string',
    default: '1',
    description: 'Version in the OpenAPI document.',
  },
} as const satisfies Readonly<Record<string, OptionDefinition>>;
