export { createChat } from './client.ts';
export type { ChatClient, ChatOptions } from './client.ts';
export type { ChatCompletionMessages, ChatCompletions } from './completions.ts';

export type { ChatStream, ChatStreamParams } from './stream.ts';
export type {
  AudioDeltaEvent,
  ChatStreamEvent,
  ChoiceFinishEvent,
  ChunkEvent,
  ContentDeltaEvent,
  FunctionCallDeltaEvent,
  LogprobsDeltaEvent,
  RefusalDeltaEvent,
  ToolCallDeltaEvent,
  UsageEvent,
} from './stream-events.ts';
export { createAccumulator } from './accumulate.ts';
export type { ChatAccumulator, ChatChoiceSnapshot, ChatSnapshot } from './accumulate.ts';

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
  StreamError,
  TimeoutError,
  UnprocessableEntityError,
} from '@modelwire/core';
export type {
  ApiPromise,
  ApiResult,
  Attempt,
  CallOptions,
  EventStream,
  Middleware,
  OutgoingRequest,
  Paged,
  StreamErrorReason,
  StreamState,
  TimeoutPhase,
  Timeouts,
  Transport,
  TransportOptions,
} from '@modelwire/core';
export type * from '@modelwire/schema/types';
