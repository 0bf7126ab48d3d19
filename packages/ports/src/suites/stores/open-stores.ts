import type { Stores } from '../../stores.ts';
import { openForGroup } from '../open-for-group.ts';
import type { StorageUnderTest } from '../open-for-group.ts';

/** Empty stores for one group of tests. */
export type StoresUnderTest = StorageUnderTest<Stores>;

let projects = 0;

/** Opens stores for the tests of one group. */
export function openStores(create: () => Promise<StoresUnderTest>) {
  const { current: stores, reopen } = openForGroup<Stores, StoresUnderTest>(create);
  /** A project that no other test uses. */
  const project = () => stores().project(`project ${++projects}`);
  return { stores, project, reopen };
}
