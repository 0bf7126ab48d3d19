export { createCommandVideos } from './command-videos.ts';
export type { CommandFailure, CommandVideoModel, CommandVideosOptions } from './options.ts';
export { withFfmpeg } from './with-ffmpeg.ts';
export type { FfmpegOptions } from './with-ffmpeg.ts';
