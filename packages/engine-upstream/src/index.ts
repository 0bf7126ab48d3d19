export { createUpstream } from './upstream.ts';
export type { BreakerOptions, UpstreamModel, UpstreamOptions, UpstreamServer } from './options.ts';
export { presetNames } from './presets.ts';
export type { UpstreamPreset } from './presets.ts';
export { createUpstreamModeration } from './moderation.ts';
export type { UpstreamModerationOptions } from './moderation.ts';
export { createUpstreamVideos } from './videos.ts';
export type { UpstreamVideoModel, UpstreamVideosOptions } from './videos.ts';
