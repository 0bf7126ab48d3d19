// For engines
export * from './engines/bounded-map.ts';
export * from './engines/call-id.ts';
export * from './engines/check-option.ts';
export * from './engines/content-text.ts';
export * from './engines/draw-token.ts';
export * from './engines/instruction.ts';
export * from './engines/logit-bias.ts';
export * from './engines/prompt-breakpoints.ts';
export * from './engines/read-usage.ts';
export * from './engines/report-logprob.ts';
export * from './engines/stop-buffer.ts';
export { failureTable, stopTables } from './engines/stop-finder.ts';
export type { StopTables } from './engines/stop-finder.ts';
export * from './engines/token-form.ts';
export * from './engines/tool-choice.ts';

// For blob stores
export { isBlobKey } from './blobs/blob-arguments.ts';
export * from './blobs/create-blobs.ts';
export * from './blobs/interruptible.ts';

// JSON
export * from './json/json.ts';
export * from './json/json-length.ts';
export * from './json/stringify-json.ts';
export * from './json/value-start.ts';

// Work that takes long, and how much of it runs at once
export * from './work/event-loop.ts';
export * from './work/observe-operation.ts';
export * from './work/race-abort.ts';
export * from './work/running-operations.ts';
export * from './work/semaphore.ts';
export * from './work/sleep.ts';
export * from './work/waiters.ts';

export * from './concat-bytes.ts';
export * from './counts.ts';
export * from './read-at-most.ts';
export * from './system-error-code.ts';
