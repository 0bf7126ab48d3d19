export { readAudioMetadata } from './audio-metadata.ts';
export type { AudioMetadata } from './audio-metadata.ts';
export { readImageMetadata } from './image-metadata.ts';
export type { ImageMetadata } from './image-metadata.ts';
