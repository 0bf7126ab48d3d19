export { createBatches } from './client.ts';
export type { BatchesClient, BatchesOptions } from './client.ts';
export type { BatchCalls } from './calls.ts';
export { BatchFailedError } from './run.ts';
export type { BatchRunOptions } from './run.ts';
export { batchInput } from './input.ts';
export { readJsonLines } from './jsonl.ts';
export type { BatchAnswer, BatchBody, BatchFailure, BatchRequest, BatchResult, BatchSuccess } from './lines.ts';

// What the methods take, give and throw, so that a user needs this package alone.
export {
  AbortError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  createTransport,
  DecodeError,
  InputError,
  isModelwireError,
  ModelwireError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnprocessableEntityError,
} from '@modelwire/core';
export type {
  ApiPromise,
  ApiResult,
  Attempt,
  CallOptions,
  Middleware,
  OutgoingRequest,
  Paged,
  TimeoutPhase,
  Timeouts,
  Transport,
  TransportOptions,
  WaitOptions,
} from '@modelwire/core';
export type {
  Batch,
  BatchCreateParams,
  BatchEndpoint,
  BatchError,
  BatchInputLine,
  BatchList,
  BatchListParams,
  BatchOutputLine,
  BatchStatus,
  BatchUsage,
  ExpiresAfter,
  Metadata,
} from '@modelwire/schema/types';
