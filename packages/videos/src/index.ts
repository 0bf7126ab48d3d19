export { createVideos } from './client.ts';
export type { VideoCreateInput, VideoEditInput, VideoExtendInput, VideosClient, VideosOptions } from './client.ts';

// What the methods take, return and throw, so that users need only this package.
export * from '@modelwire/core/client';
export type { ByteRange, ByteStream, DownloadOptions, Paged, Uploadable, WaitOptions } from '@modelwire/core';
export type * from '@modelwire/schema/types';
