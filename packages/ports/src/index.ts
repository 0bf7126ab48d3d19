// Engines
export { allCapabilities, capabilities } from './chat-capabilities.ts';
export type {
  CapabilitiesInit,
  ChatCapabilities,
  InputKind,
  ParameterSupport,
  Role,
  Support,
  ToolChoiceForm,
} from './chat-capabilities.ts';
export { chatParameters, emulatedParameters, parameterRules } from './chat-parameters.ts';
export type { ChatParameter, EmulatedParameter, ParameterRule } from './chat-parameters.ts';
export type {
  ChatEngine,
  ChatEvent,
  ChatEvents,
  ChatModel,
  EngineContext,
  NativeResponseBody,
  NativeResponseEvent,
  Relayed,
  TextCompletionRequest,
  TextCompletionSupport,
} from './chat-engine.ts';
export { chatRequestDefaults, passParameters } from './chat-request.ts';
export type { ChatRequest } from './chat-request.ts';
export type {
  EmbeddingContext,
  EmbeddingEngine,
  EmbeddingInput,
  EmbeddingModel,
  EmbeddingReply,
  EmbeddingRequest,
} from './embedding-engine.ts';
export { moderationCategories, moderationSubcategories } from './moderation-categories.ts';
export type {
  CategoryVerdict,
  ModerationEngine,
  ModerationContext,
  ModerationEngineModel,
  ModerationInput,
  ModerationPart,
  ModerationVerdict,
} from './moderation-engine.ts';
export type {
  PassThrough,
  PassThroughModel,
  PassThroughReply,
  PassThroughRequest,
  PassThroughTarget,
} from './pass-through.ts';
export type { SpeechEngine, SpeechInit, Utterance } from './speech-engine.ts';
export { VideoError, VideoRetry } from './video-engine.ts';
export type { VideoContext, VideoEngine, VideoJob, VideoModel, VideoSource } from './video-engine.ts';
export type { WebSearch, WebSearchQuery, WebSearchResult } from './web-search.ts';

// Errors that adapters throw and callers see
export {
  RequestError,
  invalid,
  modelNotFound,
  notFound,
  overloaded,
  unsupported,
  unsupportedValue,
} from './request-error.ts';
export type { RequestErrorInit } from './request-error.ts';
export { isNoSpace } from './no-space.ts';
export type { NoSpace } from './no-space.ts';
export { isStorageUnavailable } from './storage-unavailable.ts';
export { summarizeCompletion } from './completion-summary.ts';
export type { StorageDependency, StorageOutage, StorageUnavailable } from './storage-unavailable.ts';

export type {
  AttemptObservation,
  AttemptOutcome,
  Failable,
  Observation,
  ObservedAttempt,
  UpstreamObserver,
} from './observation.ts';
export type {
  BatchObservation,
  GenerationObservation,
  GenerationOutcome,
  ModerationOutcome,
  ObservedGeneration,
  ObservedModeration,
  ObservedRequest,
  Observer,
  RequestObservation,
  RequestOutcome,
  StorageObserver,
} from './observer.ts';

// Stores
export type { ProjectStores, Stores } from './stores.ts';
export type { BatchRecord, BatchResult, BatchStore, BatchWork } from './batch-store.ts';
export type { BlobLedger, BlobSegment } from './blob-ledger.ts';
export type { CompletionQuery, CompletionRecord, CompletionStore, StoredCompletion } from './completion-store.ts';
export type { AddedItems, ConversationStore, StoredConversation } from './conversation-store.ts';
export { ReservationLostError } from './file-store.ts';
export type { FileQuery, FileRecord, FileStore } from './file-store.ts';
export type { Claim, ClaimInit, HeldClaim, IdempotencyStore, CachedResponse } from './idempotency-store.ts';
export type { DueJobs, Job, JobBacklog, JobKind, JobStore, Lease } from './job-store.ts';
export { keyRoles } from './key-store.ts';
export type {
  AccessLimits,
  FoundKey,
  KeyChanges,
  KeyRecord,
  KeyRole,
  KeyStore,
  ProjectChanges,
  ProjectRecord,
} from './key-store.ts';
export type { AuditEntry, AuditQuery, AuditStore } from './audit-store.ts';
export { budgetPeriods, budgetUnits } from './budget-store.ts';
export type {
  BudgetAmount,
  BudgetChanges,
  BudgetDecision,
  BudgetDemand,
  BudgetLimit,
  BudgetPeriod,
  BudgetRecord,
  BudgetState,
  BudgetStore,
  BudgetSubject,
  BudgetUnit,
} from './budget-store.ts';
export { webhookAttemptsKept } from './webhook-store.ts';
export type {
  WebhookAttempt,
  WebhookChanges,
  WebhookRotation,
  WebhookDelivery,
  WebhookDeliveryStatus,
  WebhookEvent,
  WebhookOutcome,
  WebhookRecord,
  WebhookStore,
} from './webhook-store.ts';
export type { Page, PageQuery } from './page.ts';
export type { RequestStats, RequestStatsQuery, RequestStatsStore } from './request-stats-store.ts';
export type { SessionRecord, SessionStore } from './session-store.ts';
export type { PartOutcome, PartRecord, UploadRecord, UploadStore } from './upload-store.ts';
export type { UsageIncrement, UsageQuery, UsageStore } from './usage-store.ts';
export type { VideoContent, VideoRecord, VideoStore, VideoWork } from './video-store.ts';

// Blobs
export { BlobMissingError } from './blobs.ts';
export type { BlobReadOptions, Blobs, ByteRange } from './blobs.ts';
export { createBlobs } from './create-blobs.ts';
export type { BlobOperations } from './create-blobs.ts';
export { isBlobKey, requireBlobKey, requireByteRange } from './blob-arguments.ts';
export { interruptible } from './interruptible.ts';

// Authentication and rate limiting
export type { Authenticator, Principal } from './authenticator.ts';
export { rateDecision, reservationBounds, tokenReservation } from './rate-decision.ts';
export type { RateBucket } from './rate-decision.ts';
export type {
  LimitState,
  RateDecision,
  RateLimiter,
  RateSubject,
  TokenDemand,
  TokenReservation,
} from './rate-limiter.ts';
export type {
  ChainLimits,
  ResponseChain,
  ResponseChainFailure,
  ResponseEvent,
  ResponseRecord,
  ResponseStore,
  ResponseWork,
  StoredItem,
  StoredResponse,
  StoredResponseStatus,
} from './response-store.ts';

// Helpers for adapters
export { concatBytes } from './concat-bytes.ts';
export { isRecord } from './is-record.ts';
export { createSemaphore } from './semaphore.ts';
export type { Semaphore } from './semaphore.ts';
export { backoffMs, sleep } from './sleep.ts';
export type { BackoffInit } from './sleep.ts';
