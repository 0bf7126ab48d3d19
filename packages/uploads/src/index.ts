export { createUploads } from './client.ts';
export type { UploadsClient, UploadsOptions } from './client.ts';
export type { UploadCalls, UploadPartInput, UploadParts } from './calls.ts';
export type { FileUpload, UploadFileOptions, UploadProgress } from './transfer.ts';
export type { UploadState } from './state.ts';
export type { StreamedFile } from './source.ts';
export type { Md5, Md5Option } from './checksum.ts';

// What the methods take, return and throw, so that users need only this package.
export * from '@modelwire/core/client';
export type { ByteStream, Uploadable } from '@modelwire/core';
export type * from '@modelwire/schema/types';
