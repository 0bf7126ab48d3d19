export { bucketKeys } from './bucket-keys.ts';
export { startS3 } from './servers.ts';
export type { TestServer } from './servers.ts';
