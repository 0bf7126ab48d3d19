export { audioPart, filePart, imagePart } from './parts.ts';
export type { AudioPartOptions, FilePartOptions, ImagePartOptions, PartBytes } from './parts.ts';
