export { createServer } from './server.ts';
export type { ModelwireServer } from './server.ts';
export { closeAll } from './close-all.ts';
export type { DocsAssets, ServerOptions } from './options.ts';
export type { CorsOptions } from './request/cors.ts';
export type { JobTimes } from './jobs/times.ts';

export { allCapabilities, capabilities } from './chat/capabilities.ts';
export { chatParameters, emulatedParameters, parameterRules } from './chat/parameters.ts';
export type { ChatParameter, EmulatedParameter, ParameterRule } from './chat/parameters.ts';
export type {
  CapabilitiesInit,
  ChatCapabilities,
  ParameterSupport,
  InputKind,
  Role,
  Support,
  ToolChoiceForm,
} from './chat/capabilities.ts';
export { formatShape } from './chat/expectation.ts';
export type { JsonShape } from './chat/json-shape.ts';
export type {
  ChatEngine,
  ChatEvent,
  ChatEvents,
  ChatModel,
  ChatRequest,
  EngineContext,
  Relayed,
} from './ports/chat-engine.ts';

export type {
  CategoryVerdict,
  ModerationEngine,
  ModerationEngineModel,
  ModerationInput,
  ModerationPart,
  ModerationVerdict,
} from './ports/moderation-engine.ts';
export { moderationCategories } from './moderations/result.ts';
export type { FetchImage } from './images/read-image.ts';
export type { WebSearch, WebSearchQuery, WebSearchResult } from './ports/web-search.ts';
export { imageFacts } from './images/image-facts.ts';
export type { ImageFacts } from './images/image-facts.ts';
export { audioFacts } from './audio/audio-facts.ts';
export type { AudioFacts } from './audio/audio-facts.ts';
export type { SpeechEngine, SpeechInit, Utterance } from './ports/speech-engine.ts';
export { VideoError, VideoRetry } from './ports/video-engine.ts';
export type { VideoContext, VideoEngine, VideoJob, VideoModel, VideoSource } from './ports/video-engine.ts';

export { memoryRateLimiter } from './memory-rate-limiter.ts';
export type { MemoryRateLimits } from './memory-rate-limiter.ts';
export { rateDecision, reservationBounds, tokenReservation } from './rate-decision.ts';
export type { RateBucket } from './rate-decision.ts';
export type { ChatModeration } from './chat/chat-moderation.ts';
export { openToAll, staticKeys } from './static-keys.ts';
export type { Authenticator, Principal } from './ports/authenticator.ts';
export type {
  LimitState,
  RateDecision,
  RateLimiter,
  RateSubject,
  TokenDemand,
  TokenReservation,
} from './ports/rate-limiter.ts';
export { keyRoles } from './ports/key-store.ts';
export type { KeyRecord, KeyRole, KeyStore, ProjectRecord } from './ports/key-store.ts';
export type { CompletionQuery, CompletionRecord, CompletionStore, StoredCompletion } from './ports/completion-store.ts';
export type { Claim, ClaimInit, HeldClaim, IdempotencyStore, KeptAnswer } from './ports/idempotency-store.ts';
export type { Page, PageQuery } from './ports/page.ts';
export type { ProjectStores, Stores } from './ports/stores.ts';
export type { FileQuery, FileRecord, FileStore } from './ports/file-store.ts';
export { ReservationLostError } from './ports/file-store.ts';
export type { PartOutcome, PartRecord, UploadRecord, UploadStore } from './ports/upload-store.ts';
export type { BatchRecord, BatchResult, BatchStore, BatchWork } from './ports/batch-store.ts';
export type { VideoContent, VideoRecord, VideoStore, VideoWork } from './ports/video-store.ts';
export type { DueJobs, Job, JobKind, JobStore, Lease } from './ports/job-store.ts';
export type { BlobLedger, BlobSegment } from './ports/blob-ledger.ts';
export { BlobMissingError } from './ports/blobs.ts';
export type { Blobs, ByteRange } from './ports/blobs.ts';
export type { StorageDependency, StorageOutage, StorageUnavailable } from './ports/storage-unavailable.ts';
export type { UsageIncrement, UsageQuery, UsageStore } from './ports/usage-store.ts';
export type { RequestLog, RequestLogEntry } from './ports/request-log.ts';
export type { EventLoopStall } from './event-loop.ts';
export type { ActiveRequest } from './activity.ts';

export { RequestError, invalid, modelNotFound, notFound, overloaded, unsupported, unsupportedValue } from './errors.ts';
export type { RequestErrorInit } from './errors.ts';
