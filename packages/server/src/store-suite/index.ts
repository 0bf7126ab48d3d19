export { describeStores } from './describe-stores.ts';
export type { StoresUnderTest } from './opened.ts';
export { completionRecord } from './records.ts';
