export { describeBlobs } from './describe-blobs.ts';
export type { BlobsUnderTest } from './opened.ts';
export { blobKey, collected, generated } from './contents.ts';
