/** What the methods of every client take, return and throw. Each client package re-exports it, so that its users need no other package. */
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
export { createTransport } from './transport/transport.ts';
export type { ApiPromise, Transport } from './transport/transport.ts';
export type { ApiResult } from './transport/call.ts';
export type {
  CallOptions,
  HeaderFields,
  InspectContext,
  Middleware,
  OutgoingRequest,
  Timeouts,
  TransportOptions,
} from './transport/options.ts';
