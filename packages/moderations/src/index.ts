export { createModerations } from './client.ts';
export type { ModerationsClient, ModerationsOptions } from './client.ts';
export type { Moderated, ModerateManyOptions, ModerationInput } from './many.ts';

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
  TimeoutPhase,
  Timeouts,
  Transport,
  TransportOptions,
} from '@modelwire/core';
export type {
  Moderation,
  ModerationByCategory,
  ModerationCategory,
  ModerationCreateParams,
  ModerationImageInput,
  ModerationInputType,
  ModerationModel,
  ModerationMultiModalInput,
  ModerationResult,
  ModerationTextInput,
} from '@modelwire/schema/types';
