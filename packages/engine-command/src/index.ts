export { createCommandVideos } from './command-videos.ts';
export type { CommandFailure, CommandVideoModel, CommandVideosOptions } from './options.ts';
