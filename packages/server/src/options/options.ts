import type {
  BatchPause,
  ChatModeration,
  ConsoleFiles,
  ConsoleStatus,
  CorsOptions,
  FetchImage,
  IdempotencyTimes,
  IdentityProvider,
  ReadPdf,
  Redaction,
  ResumableStreamOptions,
  WebhookOptions,
} from './types.ts';
import type { EventLoopStall } from '../limits/event-loop.ts';
import { jobTimes } from '../jobs/times.ts';
import type { JobTimes } from '../jobs/times.ts';
import type {
  Authenticator,
  Blobs,
  ChatEngine,
  EmbeddingEngine,
  ModerationEngine,
  Observer,
  PassThrough,
  RateLimiter,
  SpeechEngine,
  Stores,
  WebSearch,
  VideoEngine,
} from '@modelwire/ports';
import type { RequestLog } from '../request-log.ts';
import { checkAliases } from '../models/model-aliases.ts';
import type { ModelAliases } from '../models/model-aliases.ts';
import type { PriceTable } from '../limits/prices.ts';
import { systemClock } from '../clock.ts';
import type { Clock } from '@modelwire/ports';
import { randomId } from '../ids.ts';
import type { CreateId } from '../ids.ts';
import type { TieredQueue, TieredQueueOptions } from '../limits/tiered-queue.ts';
import { resolveScalarOptions } from './resolve-scalar.ts';
import type { ResolvedScalarOptions } from './resolve-scalar.ts';
import type { ScalarOptions } from './scalar.ts';

import { openToAll, staticKeys } from '../keys/static-keys.ts';

/** Options of `createServer`: those that are plain values are in `ScalarOptions`. */
export interface ServerOptions extends ScalarOptions {
  /** Chat engines. If two engines have a model with the same ID, the first one serves it. */
  readonly engines: readonly ChatEngine[];
  /** Embedding engines. Default: none; `/v1/embeddings` is not served. */
  readonly embeddingEngines?: readonly EmbeddingEngine[];
  /** Moderation engines. Default: none; `/v1/moderations` is not served. */
  readonly moderationEngines?: readonly ModerationEngine[];
  /** Video engines; they require `stores` and `blobs`. Default: none; `/v1/videos` is not served. */
  readonly videoEngines?: readonly VideoEngine[];
  /**
   * Aliases: requested ID to the ID of a chat, embedding, moderation or video model. `'*'` matches every other ID: requests of another kind
   * than that of its model get the first model of their kind. A model called by its own name is never redirected. Responses contain the
   * requested ID.
   * Default: none.
   */
  readonly modelAliases?: Readonly<Record<string, string>>;
  /**
   * Moderates the messages of chat requests, replies, or both; see `ChatModeration` for details. Default: off.
   */
  readonly moderate?: ChatModeration['of'] | ChatModeration;
  /** Downloads images that requests reference by URL (see `@modelwire/server/remote-images`). Default: such requests get a 400. */
  readonly fetchImage?: FetchImage;
  /** Extracts the text of PDF files for chat models without file input (see `@modelwire/server/pdf`). Default: such files get a 400. */
  readonly readPdf?: ReadPdf;
  /** Forwards requests to paths under `/v1` that this server does not serve. Default: none; such requests get a 404. */
  readonly passThrough?: PassThrough;
  /** Speech output for text-only chat models. Default: none; audio output of those models gets a 400. */
  readonly speech?: SpeechEngine;
  /** Web search for chat models without their own. Default: none; `web_search_options` gets a 400 for those models. */
  readonly webSearch?: WebSearch;
  /** Redacts the lines of all datasets (see `@modelwire/server/redaction`). Default: they are as they were stored. */
  readonly redaction?: Redaction;
  /** API keys, your own `Authenticator`, or `'open'` if requests are authenticated before they arrive. */
  readonly keys: readonly string[] | Authenticator | 'open';
  /** Rate limiter, such as `memoryRateLimiter()`. Default: no limits. */
  readonly rateLimiter?: RateLimiter;
  /**
   * Creates the queue of an engine, for servers of several processes that share its limits. `index` tells engines of the same name apart.
   * Default: a queue in the memory of this process.
   */
  readonly createEngineQueue?: (
    engine: { readonly name: string; readonly index: number },
    limits: TieredQueueOptions,
  ) => TieredQueue;
  /** What models cost, for cost reports and budgets of the unit `cost`. Default: no prices. */
  readonly prices?: PriceTable;
  /** Storage of records: stored completions, idempotency keys, jobs, usage. Default: none; `store: true` gets a 400. */
  readonly stores?: Stores;
  /**
   * Sends events to the webhooks that administrators configure (see `@modelwire/server/webhooks`); it requires `stores`. Default: none;
   * `/v1/organization/webhooks` is not served.
   */
  readonly webhooks?: WebhookOptions;
  /** Storage of file contents. With `stores`, it enables files, uploads and batches. Default: none. */
  readonly blobs?: Blobs;
  /**
   * Whether this server runs jobs (batches and videos), or leaves them to other servers on the same stores. A function is called before each
   * claim: return false while models are unknown, since batch lines would fail. Default `true`.
   */
  readonly worker?: boolean | (() => boolean);
  /** Called when this server queued a job or changed one, so that another process that runs its jobs can be notified: see `wakeWorker`. */
  readonly onJobQueued?: () => void;
  /** Timing of jobs shared with other servers on the same stores. */
  readonly jobTimes?: Partial<JobTimes>;
  /** Origins of web pages that may call this server. Default: none; browsers block cross-origin requests. */
  readonly cors?: CorsOptions;
  /** Lifetimes of idempotency keys. Default: a day for responses, a minute for the claim of a server that crashed. */
  readonly idempotency?: IdempotencyTimes;
  /** Streams of chat completions that clients can resume. Default: five minutes without a reader, and ten minutes after their end. */
  readonly resumableStreams?: Partial<ResumableStreamOptions>;
  /** Called when the event loop was blocked for `eventLoopStallMs`, with the requests that may have caused it. Node only. */
  readonly onEventLoopStall?: (stall: EventLoopStall) => void;
  /** Called when the lines of a batch start to wait for a budget that is spent, and when they run again. */
  readonly onBatchPause?: (pause: BatchPause) => void;
  /** Called with errors of background work, such as writing usage or deleting expired records. */
  readonly report?: (what: string, error: unknown) => void;
  /** Receives what the server does, for metrics and traces, such as that of `@modelwire/telemetry`. Default: nothing is observed. */
  readonly observer?: Observer;
  /** The time, for tests. Default: that of the system. Timeouts and the leases of jobs use the timers of the process in any case. */
  readonly clock?: Clock;
  /** Creates the IDs of objects, for tests: unique, and starting with the prefix. Default: random ones, which cannot be guessed. */
  readonly createId?: CreateId;
  /** Called once at the end of each request. Entries contain no keys and no contents. */
  readonly log?: RequestLog;
  /** Files of the API reference at `/docs` (see `@modelwire/server/docs`). Default: only `/openapi.json` is served. */
  readonly docs?: DocsAssets;
  /**
   * Serves the web console at `/console`, with sign-in by API key, and redirects browsers there from `/` (see `@modelwire/server/console`).
   * Default: no console.
   */
  readonly console?: ConsoleFiles;
  /** Identifies people who sign in to the console without a key. Default: they sign in with a key. */
  readonly identityProvider?: IdentityProvider;
  /** Upstreams and storage for the status page of the console. Default: it shows none. */
  readonly consoleStatus?: () => Promise<ConsoleStatus>;
}

/** Files of the reference page, by their path under `/docs`. */
export type DocsAssets = Readonly<Record<string, { readonly type: string; readonly body: string }>>;

/** Options that have a default here. */
type Defaulted =
  | 'engines'
  | 'embeddingEngines'
  | 'moderationEngines'
  | 'videoEngines'
  | 'worker'
  | 'idempotency'
  | 'report'
  | 'clock'
  | 'createId';

/** All options, with defaults applied. */
export interface ResolvedServerOptions
  extends
    ResolvedScalarOptions,
    Required<Pick<ServerOptions, Defaulted>>,
    Omit<
      ServerOptions,
      keyof ScalarOptions | Defaulted | 'keys' | 'modelAliases' | 'moderate' | 'jobTimes' | 'resumableStreams'
    > {
  readonly authenticator: Authenticator;
  readonly modelAliases: ModelAliases;
  readonly moderate: ChatModeration | undefined;
  readonly jobTimes: JobTimes;
  readonly resumableStreams: ResumableStreamOptions;
}

export function resolveOptions(options: ServerOptions): ResolvedServerOptions {
  if (options.moderate && !options.moderationEngines?.length)
    throw new TypeError('moderate requires moderationEngines');
  for (const name of ['batchRequestsPerMinute', 'batchTokensPerMinute'] as const) {
    if (options[name] !== undefined && !options.rateLimiter)
      throw new TypeError(`${name} requires a rateLimiter, such as memoryRateLimiter()`);
  }
  if (options.videoEngines?.length && !options.blobs)
    throw new TypeError('videoEngines requires blobs, the storage of videos');
  if (options.blobs && !options.stores) throw new TypeError('blobs requires stores, the storage of file records');
  if (options.storeMessages && !options.stores)
    throw new TypeError('storeMessages requires stores, the storage of completions');
  if (options.webhooks && !options.stores) throw new TypeError('webhooks requires stores, the storage of webhooks');
  const scalars = resolveScalarOptions(options);
  const { keys, ...others } = options;
  return Object.freeze({
    ...others,
    ...scalars,
    embeddingEngines: options.embeddingEngines ?? [],
    moderationEngines: options.moderationEngines ?? [],
    videoEngines: options.videoEngines ?? [],
    modelAliases: checkAliases(options.modelAliases),
    moderate: typeof options.moderate === 'string' ? { of: options.moderate } : options.moderate,
    authenticator: authenticatorOf(keys),
    worker: options.worker ?? true,
    jobTimes: jobTimes(options.jobTimes),
    idempotency: idempotencyTimes(options.idempotency),
    resumableStreams: resumableStreamOptions(options.resumableStreams),
    clock: options.clock ?? systemClock,
    createId: options.createId ?? randomId,
    report: options.report ?? (() => undefined),
  });
}

function idempotencyTimes(
  times: ServerOptions['idempotency'] = { retentionMs: 86_400_000, claimTtlMs: 60_000 },
): IdempotencyTimes {
  const { retentionMs, claimTtlMs } = times;
  for (const [name, value] of Object.entries({ retentionMs, claimTtlMs })) {
    if (!(value > 0)) throw new TypeError(`idempotency.${name} must be a positive number of milliseconds`);
  }
  return times;
}

function resumableStreamOptions({
  continueLost = false,
  ...limits
}: Partial<ResumableStreamOptions> = {}): ResumableStreamOptions {
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new TypeError(`resumableStreams.${name} must be an integer of at least 0, not ${value}`);
  }
  return { maxDetachedMs: 300_000, keepMs: 600_000, ...limits, continueLost };
}

function authenticatorOf(keys: ServerOptions['keys']): Authenticator {
  if (keys === 'open') return openToAll();
  return 'authenticate' in keys ? keys : staticKeys(keys);
}
