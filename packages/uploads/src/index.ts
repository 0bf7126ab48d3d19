export { createUploads } from './client.ts';
export type { UploadsClient, UploadsOptions } from './client.ts';
export type { UploadCalls, UploadParts } from './calls.ts';
export type { FileUpload, UploadFileOptions, UploadProgress } from './transfer.ts';
export type { UploadState } from './state.ts';
export type { StreamedFile } from './source.ts';
export type { Md5, Md5Option } from './checksum.ts';

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
  ExpiresAfter,
  FileObject,
  FilePurpose,
  Upload,
  UploadCompleteParams,
  UploadCreateParams,
  UploadPart,
  UploadPartCreateParams,
  UploadStatus,
} from '@modelwire/schema/types';
