export { describeBlobs } from './describe-blobs.ts';
export type { BlobsUnderTest } from './open-blobs.ts';
export { blobKey, collected, generated } from './contents.ts';
