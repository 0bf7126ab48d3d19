import type { ProjectStores, Stores } from '../../stores.ts';
import { openForGroup } from '../open-for-group.ts';
import type { StorageUnderTest } from '../open-for-group.ts';

/** An empty store for one group of tests. */
export interface StoresUnderTest extends StorageUnderTest<Stores> {
  readonly stores: Stores;
}

export interface OpenStores {
  /** Open while tests run. */
  readonly stores: () => Stores;
  /** A project that no other test uses. */
  readonly project: () => ProjectStores;
  readonly reopen: () => Promise<void>;
}

let projects = 0;

/** Opens stores for the tests of one group. */
export function openStores(open: () => Promise<StoresUnderTest>): OpenStores {
  const { current: stores, reopen } = openForGroup(open, (underTest) => underTest.stores);
  return { stores, project: () => stores().project(`project ${++projects}`), reopen };
}
