import type { MemoryLimiter } from './limits/memory-limiter.ts';
import type { PartChecksums } from './part-checksums.ts';
import type { EngineQueue } from './limits/engine-queue.ts';
import type { Activity, InFlight } from './limits/in-flight.ts';
import type { ModelRegistry } from './model-registry.ts';
import type { ResolvedServerOptions } from './options.ts';
import type {
  ChatEngine,
  ChatModel,
  EmbeddingEngine,
  EmbeddingModel,
  VideoEngine,
  VideoModel,
  ModerationEngine,
  ModerationEngineModel,
  RateLimiter,
} from '@modelwire/ports';
import type { RequestLogEntry } from './request-log.ts';
import type { BackgroundResponses } from './jobs/background-responses.ts';
import type { Renderings } from './jobs/renderings.ts';
import type { BodyWatch } from './limits/sender-pace.ts';
import type { FormSemaphore } from './limits/form-semaphore.ts';
import type { InternalDispatch } from './internal-dispatch.ts';
import type { RecentErrors } from './limits/recent-errors.ts';
import type { RequestCounter } from './limits/request-stats.ts';
import type { Budgets } from './limits/budgets.ts';
import type { Policies } from './limits/policies.ts';
import type { StorageQuota } from './limits/storage-quota.ts';
import type { KeyUse } from './limits/key-use.ts';
import type { Prices } from './limits/prices.ts';
import type { Meter } from './limits/usage-meter.ts';
import type { Sessions } from './sessions/sessions.ts';

/** What handlers work with: the ports, and what one running server keeps in memory. */
export interface ServerContext {
  readonly options: ResolvedServerOptions;
  readonly models: ModelRegistry<ChatEngine, ChatModel>;
  readonly embeddingModels: ModelRegistry<EmbeddingEngine, EmbeddingModel>;
  readonly moderationModels: ModelRegistry<ModerationEngine, ModerationEngineModel>;
  readonly videoModels: ModelRegistry<VideoEngine, VideoModel>;
  readonly renderings: Renderings;
  readonly backgroundResponses: BackgroundResponses;
  /** What was said by speech made here, as long as it may be named. */
  readonly transcripts: TranscriptStore;
  readonly queues: {
    of(engine: ChatEngine | EmbeddingEngine | ModerationEngine): EngineQueue;
    /** Each queue with the name of its engine. */
    all(): readonly (readonly [engine: string, queue: EngineQueue])[];
  };
  /** Bounds the large checksums that are counted at once. */
  readonly checksums: EngineQueue;
  /** Checksums of uploads in progress. */
  readonly partChecksums: PartChecksums;
  readonly inFlight: InFlight;
  readonly activity: Activity;
  readonly bodies: MemoryLimiter;
  /** Bounds what replies that are not read hold together. Apart from `bodies`: unread streams must not keep requests out. */
  readonly unreadReplies: MemoryLimiter;
  /** Bounds the images that are fetched at once. */
  readonly imageFetches: EngineQueue;
  /** Ends the bodies that arrive too slowly. */
  readonly bodyWatch: BodyWatch;
  /** Undefined where no other origin may read answers. */
  readonly cors: Cors | undefined;
  /** Bounds the forms that are received at once. */
  readonly forms: FormSemaphore;
  /** Writes a log line. What the log throws is reported, and nobody's answer suffers. */
  readonly log: (entry: RequestLogEntry) => void;
  /** Asks an endpoint that takes JSON, by its path; undefined where this server has none there. */
  readonly internalDispatch: (path: string) => InternalDispatch | undefined;
  /** There is a new job, or news of one: the worker of this server need not wait until it looks. */
  readonly wakeWorker: () => void;
  /** Sessions of the console; undefined where it is not served, or where keys cannot be found by their hash. */
  readonly sessions: Sessions | undefined;
  /** Limits attempts to sign in to the console, by the address that they come from. */
  readonly signInLimiter: RateLimiter;
  /** Counts outcomes and durations of requests; undefined where the stores do not record them. */
  readonly requestCounter: RequestCounter | undefined;
  /** The last failed requests to models; undefined where the console is not served. */
  readonly recentErrors: RecentErrors | undefined;
  /** Counts usage; undefined where nothing is kept. */
  readonly meter: Meter | undefined;
  /** Records when keys are used; undefined where there are no stores. */
  readonly keyUse: KeyUse | undefined;
  /** What administrators have set for keys and projects; undefined where there are no stores. */
  readonly policies: Policies | undefined;
  /** Storage limits of projects. Undefined without stores. */
  readonly storageQuota: StorageQuota | undefined;
  readonly budgets: Budgets | undefined;
  /** What models cost; undefined where no prices are configured. */
  readonly prices: Prices | undefined;
}

/** Response headers for requests from web pages of other origins. */
export interface Cors {
  /** What lets a page of this origin read an answer. Empty for a request without an origin, from a program. */
  headersFor(origin: string | null): Readonly<Record<string, string>>;
  /** The answer to a preflight request (Fetch, 4.8); undefined for any other request, and for an origin that may not call. */
  preflight(request: Request): Response | undefined;
}

/** What was said in a piece of speech. */
export interface Transcript {
  readonly transcript: string;
  /** Unix seconds. */
  readonly expires_at: number;
}

/**
 * What speech made here said, so that a later request may name it (interface: `audio` of an assistant message). Kept by project: another
 * project's id is one that never was. See docs/decisions/0008.
 */
export interface TranscriptStore {
  keep(project: string, id: string, text: Transcript): Promise<void>;
  /** Undefined when it was never said, or was removed since. */
  find(project: string, id: string): Promise<Transcript | undefined>;
}
