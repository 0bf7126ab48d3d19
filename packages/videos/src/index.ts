export { createVideos } from './client.ts';
export type { VideosClient, VideosOptions } from './client.ts';

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
  ByteRange,
  CallOptions,
  DownloadOptions,
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
  Video,
  VideoContentParams,
  VideoCreateParams,
  VideoDeleted,
  VideoInputReference,
  VideoList,
  VideoListParams,
  VideoRemixParams,
  VideoSeconds,
  VideoSize,
  VideoStatus,
  VideoVariant,
} from '@modelwire/schema/types';
