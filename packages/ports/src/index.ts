// Engines
export type * from './listed-model.ts';
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
export * from './clock.ts';
export type * from './chat-engine.ts';
export { chatRequestDefaults } from './chat-request.ts';
export type { ChatRequest } from './chat-request.ts';
export type * from './embedding-engine.ts';
export type * from './batch-provider.ts';
export * from './moderation-categories.ts';
export type * from './moderation-engine.ts';
export type * from './pass-through.ts';
export type * from './speech-engine.ts';
export * from './video-engine.ts';
export type * from './web-search.ts';

// Errors that adapters throw and clients see
export * from './request-error.ts';
export * from './no-space.ts';
export * from './storage-unavailable.ts';

export type * from './observation.ts';
export type * from './observer.ts';

// Stores
export type * from './stores.ts';
export type * from './batch-store.ts';
export type * from './blob-ledger.ts';
export type * from './completion-store.ts';
export type * from './conversation-store.ts';
export type * from './event-stream-store.ts';
export * from './file-store.ts';
export type * from './idempotency-store.ts';
export type * from './job-store.ts';
export * from './key-store.ts';
export type * from './audit-store.ts';
export * from './budget-store.ts';
export * from './webhook-store.ts';
export type * from './page.ts';
export type * from './daily-key.ts';
export type * from './request-log-store.ts';
export type * from './request-stats-store.ts';
export type * from './session-store.ts';
export * from './storage-limit.ts';
export type * from './upload-store.ts';
export type * from './usage-store.ts';
export type * from './video-store.ts';

// Blobs
export * from './blobs.ts';

// Authentication and rate limiting
export type * from './authenticator.ts';
export type * from './rate-limiter.ts';
export type * from './request-trace.ts';
export type * from './response-store.ts';
export type * from './stored-request.ts';
