export { audioFacts } from './audio-facts.ts';
export type { AudioFacts } from './audio-facts.ts';
export { imageFacts } from './image-facts.ts';
export type { ImageFacts } from './image-facts.ts';
