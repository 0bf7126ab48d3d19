import type { GrammarCache } from '@modelwire/grammar';
import type { Clock } from '@modelwire/ports';
import type { CreateId } from './ids.ts';
import type { ByteBudget } from './limits/byte-budget.ts';
import type { ActiveRequests, InFlightRequests } from './limits/active-requests.ts';
import type { BodyTimeouts } from './limits/body-timeouts.ts';
import type { LineSlots } from './limits/line-slots.ts';
import type { EngineQueues, TieredQueue } from './limits/tiered-queue.ts';
import type { PrefillMemory } from './models/prefill.ts';
import type { ModelRegistries } from './models/registries.ts';
import type { ResolvedServerOptions } from './options/options.ts';
import type { Semaphore } from '@modelwire/adapter-kit';
import type { ChatEngine, EmbeddingEngine, ModerationEngine, RateLimiter } from '@modelwire/ports';
import type { OpenStreams } from './event-streams/open-streams.ts';
import type { RunningJobs } from './jobs/running-jobs.ts';
import type { InternalDispatch } from './call.ts';
import type { RecentErrors } from './limits/recent-errors.ts';
import type { RequestLogWriter } from './limits/request-log-writer.ts';
import type { UsageMeter } from './limits/usage-meter.ts';
import type { Budgets } from './limits/budgets.ts';
import type { AliasResolver } from './models/model-aliases.ts';
import type { Policies } from './limits/policies.ts';
import type { StorageQuota } from './limits/storage-quota.ts';
import type { Prices } from './limits/prices.ts';
import type { Sessions } from './sessions/sessions.ts';

/** What handlers receive: the ports, and the shared state of a running server. */
export interface ServerContext {
  readonly options: ResolvedServerOptions;
  readonly clock: Clock;
  readonly createId: CreateId;
  readonly modelAliases: AliasResolver;
  readonly models: ModelRegistries;
  /** The grammars that replies were checked with. */
  readonly grammars: GrammarCache;
  readonly prefills: PrefillMemory;
  readonly runningJobs: RunningJobs;
  readonly openStreams: OpenStreams;
  /** Transcripts of generated speech, for as long as requests can reference it. */
  readonly transcripts: TranscriptStore;
  readonly queues: EngineQueues<ChatEngine | EmbeddingEngine | ModerationEngine>;
  readonly lineSlots: LineSlots;
  /** Limits how many large checksums are computed at once. */
  readonly checksumQueue: TieredQueue;
  readonly inFlight: InFlightRequests;
  readonly activeRequests: ActiveRequests;
  readonly bodyMemory: ByteBudget;
  /** Limits the memory of responses that clients have not read yet. Separate from `bodyMemory`, so that unread streams do not block requests. */
  readonly responseMemory: ByteBudget;
  /** Limits how many images are fetched at once. */
  readonly imageFetchQueue: TieredQueue;
  /** The timeouts of request bodies. */
  readonly bodyTimeouts: BodyTimeouts;
  /** Undefined without CORS. */
  readonly cors: Cors | undefined;
  /** Limits how many forms are received at once: each buffers data on its way to the blob store, for up to an hour. */
  readonly formSemaphore: Semaphore;
  /** Limits how many datasets are written at once: each reads many records. */
  readonly datasetSemaphore: Semaphore;
  /** The internal dispatches of the endpoints that batch lines can use and this server serves, by path. */
  readonly internalDispatches: ReadonlyMap<string, InternalDispatch>;
  /** Makes the worker of this server poll for jobs immediately, after a job was created or changed. */
  readonly wakeWorker: () => void;
  /** Sessions of the console; `noSessions` if it is not served, or keys cannot be looked up by their hash. */
  readonly sessions: Sessions;
  /** Limits attempts to sign in to the console, by the address that they come from. */
  readonly signInLimiter: RateLimiter;
  /** The last failed requests to models, for the console. */
  readonly recentErrors: RecentErrors;
  readonly meter: UsageMeter;
  readonly requestLog: RequestLogWriter;
  /** Settings of administrators for keys and projects. */
  readonly policies: Policies;
  /** Storage limits of projects. */
  readonly storageQuota: StorageQuota;
  readonly budgets: Budgets;
  /** Prices of models. */
  readonly prices: Prices;
}

/** Response headers for requests from web pages of other origins. */
export interface Cors {
  /** Headers that let a page of this origin read a response. Empty for a request without an origin. */
  headersFor(origin: string | null): Readonly<Record<string, string>>;
  /** The headers of the response to a preflight request (Fetch, 4.8); undefined for any other request, and for an origin that is not allowed. */
  preflightHeaders(request: {
    readonly method: string;
    readonly header: (name: string) => string | null;
  }): Record<string, string> | undefined;
}

/** The transcript of generated speech. */
export interface Transcript {
  readonly transcript: string;
  /** Unix seconds. */
  readonly expires_at: number;
}

/**
 * Transcripts of generated speech, so that later requests can reference it (API: `audio` of an assistant message). Stored by project:
 * the ID of another project is not found. See docs/decisions/0008.
 */
export interface TranscriptStore {
  save(project: string, id: string, text: Transcript): Promise<void>;
  /** Undefined if it does not exist or has expired. */
  find(project: string, id: string): Promise<Transcript | undefined>;
}
