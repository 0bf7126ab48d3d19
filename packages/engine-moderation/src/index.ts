export { createTextModeration } from './text-moderation.ts';
export type { TextModerationModel, TextModerationOptions } from './options.ts';
