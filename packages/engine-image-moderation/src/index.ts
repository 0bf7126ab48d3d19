export { combineModeration } from './combine.ts';
export type { CombinedEngines } from './combine.ts';
export { createImageModeration } from './image-moderation.ts';
export type { ImageModerationOptions } from './options.ts';
