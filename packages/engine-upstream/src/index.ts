export { createUpstream } from './upstream.ts';
export type { UpstreamEngine } from './upstream.ts';
export { createCircuitBreakers } from './circuit-breakers.ts';
export type { Circuit, CircuitBreakerOptions, CircuitBreakers } from './circuit-breakers.ts';
export type { CircuitBreaker, CircuitState, Permit } from './circuit-breaker.ts';
export type { UpstreamModel, UpstreamOptions, UpstreamServer } from './options.ts';
export { detectPreset } from './detect-preset.ts';
export type { DetectPresetOptions } from './detect-preset.ts';
export { presetNames } from './presets.ts';
export type { UpstreamPreset } from './presets.ts';
export { createUpstreamModeration } from './moderation.ts';
export type { UpstreamModerationOptions } from './moderation.ts';
export { createUpstreamVideos } from './videos.ts';
export type { UpstreamVideoModel, UpstreamVideosOptions } from './videos.ts';
export { createUpstreamPassThrough } from './pass-through.ts';
export type {
  CatalogEntry,
  ModelCatalog,
  PassThroughServer,
  UpstreamPassThroughOptions,
} from './pass-through-options.ts';
export { modelKind } from './model-kind.ts';
export type { ModelKind } from './model-kind.ts';
