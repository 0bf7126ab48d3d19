export { createBatches } from './client.ts';
export type { BatchesClient, BatchesOptions } from './client.ts';
export type { BatchCalls } from './calls.ts';
export type { BatchCollector, CollectOptions } from './collector.ts';
export { BatchFailedError } from './run.ts';
export type { BatchRunOptions } from './run.ts';
export { batchInput } from './input.ts';
export { readJsonLines } from './jsonl.ts';
export type {
  BatchResponseBody,
  BatchRequestBody,
  BatchFailure,
  BatchRequest,
  BatchResult,
  BatchSuccess,
} from './lines.ts';

// What the methods take, return and throw, so that users need only this package.
export * from '@modelwire/core/client';
export type { Paged, WaitOptions } from '@modelwire/core';
export type * from '@modelwire/schema/types';
