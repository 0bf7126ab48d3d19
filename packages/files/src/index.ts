export { createFiles } from './client.ts';
export type { FileCreateInput, FilesClient, FilesOptions } from './client.ts';

// What the methods take, return and throw, so that users need only this package.
export * from '@modelwire/core/client';
export type { ByteRange, ByteStream, DownloadOptions, FileSource, Paged, Uploadable } from '@modelwire/core';
export type * from '@modelwire/schema/types';
