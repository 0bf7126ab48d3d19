export { describeStores } from './describe-stores.ts';
export type { StoresUnderTest } from './describe-stores.ts';
export { completionRecord } from './records.ts';
