/** What the methods of every client take, give and throw: each gives it on, so that its users need that one package. */
export {
  AbortError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
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
} from './errors.ts';
export type { Attempt, StreamErrorReason, TimeoutPhase } from './errors.ts';
export { createTransport } from './transport.ts';
export type { ApiPromise, Transport } from './transport.ts';
export type { ApiResult } from './call.ts';
export type {
  Arrival,
  CallOptions,
  HeaderFields,
  Middleware,
  OutgoingRequest,
  Timeouts,
  TransportOptions,
} from './options.ts';
