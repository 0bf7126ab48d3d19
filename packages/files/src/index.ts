export { createFiles } from './client.ts';
export type { FileCreateInput, FilesClient, FilesOptions } from './client.ts';

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
  FileSource,
  Middleware,
  OutgoingRequest,
  Paged,
  TimeoutPhase,
  Timeouts,
  Transport,
  TransportOptions,
} from '@modelwire/core';
export type {
  ExpiresAfter,
  FileCreateFields,
  FileDeleted,
  FileListParams,
  FileObject,
  FileObjectList,
  FilePurpose,
  FileStatus,
  MadeFilePurpose,
} from '@modelwire/schema/types';
