// For engines
export * from './engines/bounded-map.ts';
export * from './engines/call-id.ts';
export * from './engines/check-option.ts';
export * from './engines/content-text.ts';
export * from './engines/draw-token.ts';
export * from './engines/instruction.ts';
export * from './engines/logit-bias.ts';
export * from './engines/read-usage.ts';
export * from './engines/report-logprob.ts';
export * from './engines/stop-buffer.ts';
export { stopTables } from './engines/stop-finder.ts';
export type { StopTables } from './engines/stop-finder.ts';
export * from './engines/tool-choice.ts';

// For blob stores
export * from './blobs/create-blobs.ts';

// JSON
export { isRecord, parseJson } from './json/json.ts';

// Work that takes long, and how much of it runs at once
export { createPause, runInTimeSlices, yieldToEventLoop } from './work/event-loop.ts';
export type { Pause } from './work/event-loop.ts';
export * from './work/observe-operation.ts';
export * from './work/race-abort.ts';
export * from './work/running-operations.ts';
export * from './work/semaphore.ts';
export * from './work/sleep.ts';
export type { Release } from './work/waiters.ts';

export * from './system-error-code.ts';
