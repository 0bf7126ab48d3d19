// Engines
export type * from './listed-model.ts';
export * from './chat-capabilities.ts';
export * from './clock.ts';
export { chatParameters, emulatedParameters, parameterRules } from './chat-parameters.ts';
export type { ChatParameter, EmulatedParameter, ParameterRule } from './chat-parameters.ts';
export type * from './chat-engine.ts';
export { chatRequestDefaults, passParameters } from './chat-request.ts';
export type { ChatRequest } from './chat-request.ts';
export type * from './embedding-engine.ts';
export { withInstruction } from './instruction.ts';
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
export * from './completion-summary.ts';

export type * from './observation.ts';
export type * from './observer.ts';

// Stores
export type * from './stores.ts';
export type * from './batch-store.ts';
export type * from './blob-ledger.ts';
export type * from './completion-store.ts';
export type * from './conversation-store.ts';
export * from './file-store.ts';
export type * from './idempotency-store.ts';
export type * from './job-store.ts';
export * from './key-store.ts';
export type * from './audit-store.ts';
export * from './budget-store.ts';
export * from './webhook-store.ts';
export type * from './page.ts';
export type * from './daily-key.ts';
export type * from './request-stats-store.ts';
export type * from './session-store.ts';
export * from './storage-limit.ts';
export type * from './upload-store.ts';
export type * from './usage-store.ts';
export type * from './video-store.ts';

// Blobs
export * from './blobs.ts';
export * from './create-blobs.ts';
export * from './blob-arguments.ts';
export * from './interruptible.ts';

// Authentication and rate limiting
export type * from './authenticator.ts';
export * from './rate-decision.ts';
export type * from './rate-limiter.ts';
export type * from './request-trace.ts';
export type * from './response-store.ts';

// Helpers for adapters
export * from './bounded-map.ts';
export * from './call-id.ts';
export * from './check-option.ts';
export { splitChunk, textOfChunk } from './chunk-text.ts';
export type { ChunkParts } from './chunk-text.ts';
export * from './concat-bytes.ts';
export * from './content-text.ts';
export * from './counts.ts';
export * from './draw-token.ts';
export * from './event-loop.ts';
export * from './is-record.ts';
export * from './json-length.ts';
export * from './logit-bias.ts';
export * from './observe-operation.ts';
export * from './parse-json.ts';
export * from './pause.ts';
export * from './read-usage.ts';
export * from './report-logprob.ts';
export * from './running-operations.ts';
export * from './semaphore.ts';
export * from './sleep.ts';
export * from './stop-buffer.ts';
export * from './stringify-json.ts';
export { failureTable, stopTables } from './stop-finder.ts';
export type { StopTables } from './stop-finder.ts';
export * from './system-error-code.ts';
export * from './token-form.ts';
export * from './tool-choice.ts';
export * from './waiters.ts';
