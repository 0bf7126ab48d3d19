export { createSseDecoder, readSse } from './sse/decode.ts';
export type { SseDecoder, SseDecoderOptions, SseEvent } from './sse/decode.ts';
export { DONE, DONE_EVENT, encodeComment, encodeData } from './sse/encode.ts';

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
export type { Attempt, ErrorDetails, StreamErrorReason, TimeoutPhase } from './errors.ts';
