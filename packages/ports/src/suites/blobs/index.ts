export { describeBlobs } from './describe-blobs.ts';
export type { BlobsUnderTest } from './open-blobs.ts';
