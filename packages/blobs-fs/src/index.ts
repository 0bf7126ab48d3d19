export { openFsBlobs } from './fs-blobs.ts';
export type { FsBlobsOptions } from './fs-blobs.ts';
export { FsBlobsError } from './failure.ts';
