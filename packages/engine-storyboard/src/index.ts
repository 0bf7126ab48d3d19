export { createStoryboardEngine } from './storyboard.ts';
export type { StoryboardOptions } from './options.ts';
