export { describeStores } from './describe-stores.ts';
export type { StoresUnderTest } from './open-stores.ts';
export { projectRecord } from './keys.ts';
export { completionRecord } from './records.ts';
export { storedResponse, storeTurn } from './response-records.ts';
export { batchRecord, fileRecord, partRecord, uploadRecord, videoRecord } from './work-records.ts';
