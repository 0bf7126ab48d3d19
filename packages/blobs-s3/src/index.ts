export { openS3Blobs } from './s3-blobs.ts';
export type { S3BlobsOptions, S3Credentials, S3CredentialsProvider } from './options.ts';
export { S3BlobsError } from './failure.ts';
