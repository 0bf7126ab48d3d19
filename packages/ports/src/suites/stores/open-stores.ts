import type { ProjectStores, Stores } from '../../stores.ts';
import { openForGroup } from '../open-for-group.ts';

/** An empty store for one group of tests. */
export interface StoresUnderTest {
  readonly stores: Stores;
  /** Closes and reopens the stores, as after a restart. */
  reopen(): Promise<Stores>;
  /** Called once at the end with the open stores. Closes them and removes their data. */
  discard(): Promise<void>;
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
  const underTest = openForGroup(open);
  let current: Stores | undefined;
  const stores = (): Stores => current ?? underTest().stores;
  return {
    stores,
    project: () => stores().project(`project ${++projects}`),
    async reopen() {
      current = await underTest().reopen();
    },
  };
}
