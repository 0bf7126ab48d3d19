export { describeStores } from './describe-stores.ts';
export type { StoresUnderTest } from './open-stores.ts';
