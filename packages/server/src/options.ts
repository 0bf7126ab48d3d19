import { BATCH_CANCEL_MAX_SECONDS, MODERATION_IMAGES_MAX } from '@modelwire/schema';
import type { UsedTier } from './limits/engine-queue.ts';
import type {
  BatchSettings,
  ChatModeration,
  CorsOptions,
  FetchImage,
  IdempotencyTimes,
  ReadPdf,
} from './option-types.ts';
import type { EventLoopStall } from './limits/event-loop.ts';
import { jobTimes } from './jobs/times.ts';
import type { JobTimes } from './jobs/times.ts';
import type {
  Authenticator,
  Blobs,
  ChatEngine,
  ModerationEngine,
  RateLimiter,
  SpeechEngine,
  Stores,
  WebSearch,
  VideoEngine,
} from '@modelwire/ports';
import type { RequestLog } from './request-log.ts';
import { resolveAliases } from './model-aliases.ts';
import type { ModelAliases } from './model-aliases.ts';
import { openToAll, staticKeys } from './keys/static-keys.ts';

export interface ServerOptions {
  /** What serves chat models. Where two have a model of the same id, the first serves it. */
  readonly engines: readonly ChatEngine[];
  /** What serves moderation models. Default: none, and no `/v1/moderations`. */
  readonly moderationEngines?: readonly ModerationEngine[];
  /** What serves video models, where there are `stores` and `blobs`. Default: none, and no `/v1/videos`. */
  readonly videoEngines?: readonly VideoEngine[];
  /**
   * Other names of models: the id that callers ask for, and the id of the chat, moderation or video model that serves it. `'*'` stands
   * for every id that nothing else serves. Responses carry the name that was asked for. Default: none.
   */
  readonly modelAliases?: Readonly<Record<string, string>>;
  /** Serves chat requests without a `model`. Default: such requests are refused. */
  readonly defaultModel?: string;
  /**
   * Has the messages of requests, replies, or both judged by a moderation model (see `ChatModeration` for what is and what is not judged).
   * Default: nothing.
   */
  readonly moderate?: ChatModeration['of'] | ChatModeration;
  /** Fetches images that a request names by URL (see `@modelwire/server/remote-images`). Default: such requests are refused. */
  readonly fetchImage?: FetchImage;
  /** Reads the text of PDF files for chat models that take no files (see `@modelwire/server/pdf`). Default: such files are refused. */
  readonly readPdf?: ReadPdf;
  /** Speaks for chat models that only write. Default: nothing; `modalities` with audio is then refused for those. */
  readonly speech?: SpeechEngine;
  /** Looks things up for chat models that cannot. Default: nothing; `web_search_options` is then refused for those. */
  readonly webSearch?: WebSearch;
  /** Seconds that speech made here may be named in a later request. Default an hour. */
  readonly audioExpiresSeconds?: number;
  /** The keys that may call; your own `Authenticator`; or `'open'` to ask for none, behind something that guards already. */
  readonly keys: readonly string[] | Authenticator | 'open';
  /** Default: no limits. `memoryRateLimiter()` is one. */
  readonly rateLimiter?: RateLimiter;
  /** Where stored completions, idempotency keys and usage are kept. Default: nowhere; `store: true` is then refused. */
  readonly stores?: Stores;
  /** Where the bytes of files are kept. With `stores`, files, uploads and batches are served. Default: nowhere. */
  readonly blobs?: Blobs;
  /**
   * Whether this server works on batches, or leaves them to others on the same stores. A function is asked each time before one is
   * taken: models that are not known yet would fail its lines. Default true.
   */
  readonly worker?: boolean | (() => boolean);
  /** How this server shares work with others on the same stores. */
  readonly jobTimes?: Partial<JobTimes>;
  /** Lines of batches at work at once, in this server. Default 16. */
  readonly batchConcurrency?: number;
  /** Batches of one project that this server runs at once, of 32 in all. Default 4. */
  readonly batchesOfProject?: number;
  /** Seconds after which a batch ends, done or not. Default a day, which is what `completion_window: '24h'` says. */
  readonly batchWindowSeconds?: number;
  /** Seconds that cancelling a batch may take. Lines at work are aborted at 90 % of it; the rest is for writing the results. Default 600. */
  readonly batchCancelSeconds?: number;
  /** Milliseconds before a line is tried again that an engine refused for now; doubled each time, up to a minute. Default 500. */
  readonly batchRetryMs?: number;
  /**
   * Lines of batches that each project may have answered in a minute. Needs a `rateLimiter`. They do not count against the limits of
   * its keys; a line that would exceed this waits. Default: unlimited.
   */
  readonly batchRequestsPerMinute?: number;
  /** Tokens that the lines of batches of each project may take in a minute, likewise. Default: unlimited. */
  readonly batchTokensPerMinute?: number;
  /** Seconds after their completion that videos are removed. Default a week. */
  readonly videoExpiresSeconds?: number;
  /** Milliseconds that an upload may take from its creation to its completion. Default an hour. */
  readonly uploadExpiresMs?: number;
  /** Web pages of other origins that may call this server. Default: none; browsers then block them. */
  readonly cors?: CorsOptions;
  /**
   * Whether every path is served without its `/v1` too, for clients whose base URL lacks it. It would take over paths such as `/files` of
   * an app that the server is mounted in. Default false.
   */
  readonly unversionedPaths?: boolean;
  /** Milliseconds the sender of a body may send nothing before it gets a 408. Default 30,000. */
  readonly slowSenderMs?: number;
  /** Milliseconds the sending of a body may take in all. Default an hour. */
  readonly maxSendMs?: number;
  /** Bytes of a body that have to arrive in each minute its sender is waited for; one that is slower gets a 408. Default 60,000. */
  readonly minSendBytesPerMinute?: number;
  /** Forms that are received at once; further ones get a 503. With blobs in S3 each holds some 8 MiB. Default 64. */
  readonly maxForms?: number;
  /** Days after which stored completions are removed. Default: they are kept. */
  readonly retentionDays?: number;
  /** Milliseconds an idempotency key's answer is kept, and until the key of a request is free again whose server died. Default a day, and a minute. */
  readonly idempotency?: IdempotencyTimes;
  /** Requests an engine works on at once, unless the engine says. Default 256. */
  readonly concurrency?: number;
  /** Requests that may wait for an engine; further ones get a 503. Default 1024. */
  readonly queueLength?: number;
  /** Milliseconds a request may wait for an engine before it gets a 503. Default 60,000. */
  readonly queueWaitMs?: number;
  /** What `service_tier: 'auto'` means here. Default `default`. */
  readonly defaultTier?: UsedTier;
  /** Bytes of a JSON body; longer ones get a 413. Default 32 MiB. */
  readonly maxBodyBytes?: number;
  /**
   * Bytes that all bodies which arrive, wait or are worked on may hold together; past that, a 503. Unread
   * streams may hold as many again. Default 256 MiB.
   */
  readonly maxBufferedBytes?: number;
  /** Called each time that the event loop was blocked for `eventLoopStallMs`, with the requests that may have caused it. Needs Node. */
  readonly onEventLoopStall?: (stall: EventLoopStall) => void;
  /** Milliseconds that the event loop may be blocked before `onEventLoopStall` is called. Default 200. */
  readonly eventLoopStallMs?: number;
  /** Images in the `input` of one moderation request, and in the messages of one moderated chat request; more get a 400. Default 16. */
  readonly maxModerationImages?: number;
  /** Milliseconds a reader of an answer, whole or streamed, may take nothing before its connection is closed. Default 120,000. */
  readonly slowReaderMs?: number;
  /** The same while other requests wait for the engine that the stream holds a place at. Default 10,000. */
  readonly contendedReaderMs?: number;
  /** What happens to fields the interface does not know: a 400 that names them, or kept and passed to engines. Default `refuse`. */
  readonly unknownFields?: 'refuse' | 'keep';
  /** Told of what went wrong where no caller waits: writing usage, removing what is old. */
  readonly report?: (what: string, error: unknown) => void;
  /** Called once for each request when it is over. Never given keys or what was said. */
  readonly log?: RequestLog;
  /** Serves `/docs` from these files (see `@modelwire/server/docs`). Default: no page, only `/openapi.json`. */
  readonly docs?: DocsAssets;
  /** Shown as version in the OpenAPI document. Default `1`. */
  readonly version?: string;
}

/** Files of the reference page: what each path under `/docs` answers. */
export type DocsAssets = Readonly<Record<string, { readonly type: string; readonly body: string }>>;

/** Options in full: nothing deeper reads a default. */
export interface KitOptions extends Required<
  Omit<
    ServerOptions,
    | 'keys'
    | 'cors'
    | 'rateLimiter'
    | 'log'
    | 'onEventLoopStall'
    | 'docs'
    | 'stores'
    | 'fetchImage'
    | 'readPdf'
    | 'modelAliases'
    | 'defaultModel'
    | 'speech'
    | 'webSearch'
    | 'moderate'
    | 'blobs'
    | 'retentionDays'
    | 'jobTimes'
    | 'batchConcurrency'
    | 'batchesOfProject'
    | 'batchWindowSeconds'
    | 'batchCancelSeconds'
    | 'batchRetryMs'
    | 'batchRequestsPerMinute'
    | 'batchTokensPerMinute'
  >
> {
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter | undefined;
  readonly stores: Stores | undefined;
  readonly fetchImage: FetchImage | undefined;
  readonly readPdf: ReadPdf | undefined;
  readonly modelAliases: ModelAliases;
  readonly defaultModel: string | undefined;
  readonly speech: SpeechEngine | undefined;
  readonly webSearch: WebSearch | undefined;
  readonly moderate: ChatModeration | undefined;
  readonly blobs: Blobs | undefined;
  readonly jobTimes: JobTimes;
  readonly batches: BatchSettings;
  readonly retentionDays: number | undefined;
  readonly log: RequestLog | undefined;
  readonly onEventLoopStall: ServerOptions['onEventLoopStall'];
  readonly docs: DocsAssets | undefined;
  readonly cors: CorsOptions | undefined;
}

export function resolveOptions(given: ServerOptions): KitOptions {
  if (given.moderate && !given.moderationEngines?.length) throw new TypeError('moderate needs moderationEngines');
  for (const name of ['batchRequestsPerMinute', 'batchTokensPerMinute'] as const) {
    if (given[name] !== undefined && !given.rateLimiter)
      throw new TypeError(`${name} needs a rateLimiter: without one it has no effect. memoryRateLimiter() is one`);
  }
  if (given.videoEngines?.length && !given.blobs)
    throw new TypeError('videoEngines need blobs: that is where videos are kept');
  if (given.blobs && !given.stores) throw new TypeError('blobs need stores: that is where files are kept');
  return Object.freeze({
    engines: given.engines,
    moderationEngines: given.moderationEngines ?? [],
    videoEngines: given.videoEngines ?? [],
    fetchImage: given.fetchImage,
    readPdf: given.readPdf,
    modelAliases: resolveAliases(given.modelAliases),
    defaultModel: given.defaultModel,
    speech: given.speech,
    webSearch: given.webSearch,
    audioExpiresSeconds: positive('audioExpiresSeconds', given.audioExpiresSeconds ?? 3600),
    moderate: typeof given.moderate === 'string' ? { of: given.moderate } : given.moderate,
    authenticator: authenticatorOf(given.keys),
    rateLimiter: given.rateLimiter,
    stores: given.stores,
    blobs: given.blobs,
    videoExpiresSeconds: positive('videoExpiresSeconds', given.videoExpiresSeconds ?? 604_800),
    uploadExpiresMs: positive('uploadExpiresMs', given.uploadExpiresMs ?? 3_600_000),
    slowSenderMs: positive('slowSenderMs', given.slowSenderMs ?? 30_000),
    maxSendMs: positive('maxSendMs', given.maxSendMs ?? 3_600_000),
    minSendBytesPerMinute: positive('minSendBytesPerMinute', given.minSendBytesPerMinute ?? 60_000),
    maxForms: positive('maxForms', given.maxForms ?? 64),
    worker: given.worker ?? true,
    jobTimes: jobTimes(given.jobTimes),
    batches: {
      concurrency: positive('batchConcurrency', given.batchConcurrency ?? 16),
      ofProject: positive('batchesOfProject', given.batchesOfProject ?? 4),
      windowSeconds: positive('batchWindowSeconds', given.batchWindowSeconds ?? 86_400),
      cancelSeconds: atLeastZero('batchCancelSeconds', given.batchCancelSeconds ?? BATCH_CANCEL_MAX_SECONDS),
      retryMs: positive('batchRetryMs', given.batchRetryMs ?? 500),
      requestsPerMinute: limit('batchRequestsPerMinute', given.batchRequestsPerMinute),
      tokensPerMinute: limit('batchTokensPerMinute', given.batchTokensPerMinute),
    },
    retentionDays: given.retentionDays === undefined ? undefined : positive('retentionDays', given.retentionDays),
    idempotency: given.idempotency ?? { keepMs: 86_400_000, claimMs: 60_000 },
    report: given.report ?? (() => undefined),
    concurrency: positive('concurrency', given.concurrency ?? 256),
    queueLength: atLeastZero('queueLength', given.queueLength ?? 1024),
    queueWaitMs: positive('queueWaitMs', given.queueWaitMs ?? 60_000),
    defaultTier: given.defaultTier ?? 'default',
    maxBodyBytes: positive('maxBodyBytes', given.maxBodyBytes ?? 32 * 1024 * 1024),
    maxBufferedBytes: positive('maxBufferedBytes', given.maxBufferedBytes ?? 256 * 1024 * 1024),
    onEventLoopStall: given.onEventLoopStall,
    eventLoopStallMs: positive('eventLoopStallMs', given.eventLoopStallMs ?? 200),
    maxModerationImages: positive('maxModerationImages', given.maxModerationImages ?? MODERATION_IMAGES_MAX),
    slowReaderMs: positive('slowReaderMs', given.slowReaderMs ?? 120_000),
    contendedReaderMs: positive('contendedReaderMs', given.contendedReaderMs ?? 10_000),
    unknownFields: given.unknownFields ?? 'refuse',
    log: given.log,
    docs: given.docs,
    cors: given.cors,
    unversionedPaths: given.unversionedPaths ?? false,
    version: given.version ?? '1',
  });
}

function authenticatorOf(keys: ServerOptions['keys']): Authenticator {
  if (keys === 'open') return openToAll();
  return 'authenticate' in keys ? keys : staticKeys(keys);
}

function limit(name: string, value: number | undefined): number | null {
  return value === undefined ? null : positive(name, value);
}

function positive(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new TypeError(`${name} must be a whole number of at least 1, not ${value}`);
  return value;
}

function atLeastZero(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new TypeError(`${name} must be a whole number of at least 0, not ${value}`);
  return value;
}
