export { createModels } from './client.ts';
export type { ModelsClient, ModelsOptions } from './client.ts';

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
} from '@modelwire/core';
export type { Model, ModelCapabilities, ModelDeleted, ModelList } from '@modelwire/schema/types';
