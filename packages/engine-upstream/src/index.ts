export { createUpstream } from './upstream.ts';
export type { UpstreamEngine } from './upstream.ts';
export * from './attempts/circuit-breakers.ts';
export type { RoutingPolicy } from '@modelwire/adapter-kit/routing';
export type { CircuitBreaker, CircuitState, Permit } from '@modelwire/adapter-kit/internal';
export type { RoutingOptions } from '@modelwire/adapter-kit/routing';
export type { RoutingDeviation, SlowUpstreamChange } from '@modelwire/adapter-kit/internal';
export type * from './presets/options.ts';
export type { UpstreamPreset } from './presets/presets.ts';
export { createUpstreamModeration } from './moderation.ts';
export type { UpstreamModerationOptions } from './moderation.ts';
export { createUpstreamVideos } from './videos/upstream-videos.ts';
export type {
  DownloadVideo,
  DownloadedVideo,
  UpstreamVideoModel,
  UpstreamVideosOptions,
} from './videos/upstream-videos.ts';
export { createUpstreamPassThrough } from './pass-through/pass-through.ts';
export type * from './pass-through/pass-through-options.ts';
