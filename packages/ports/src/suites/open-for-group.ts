import { afterAll, beforeAll } from 'vitest';

/** A storage that is opened for one group of tests. */
export interface StorageUnderTest<Storage> {
  /** Closes and reopens the storage, as after a restart. */
  reopen(): Promise<Storage>;
  /** Called once at the end, while the storage is open. Closes it and removes its data. */
  discard(): Promise<void>;
}

/** A storage that was opened, and its `current` instance. */
export interface OpenStorage<UnderTest, Storage> {
  readonly underTest: () => UnderTest;
  /** Open while tests run. */
  readonly current: () => Storage;
  readonly reopen: () => Promise<void>;
}

/** Opens a storage before the tests of a group, and discards it after them. */
export function openForGroup<Storage, UnderTest extends StorageUnderTest<Storage>>(
  open: () => Promise<UnderTest>,
  firstOf: (underTest: UnderTest) => Storage,
): OpenStorage<UnderTest, Storage> {
  let opened: UnderTest | undefined;
  let reopened: Storage | undefined;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(async () => {
    await opened?.discard();
  });
  function underTest(): UnderTest {
    if (!opened) throw new Error('not open yet');
    return opened;
  }
  return {
    underTest,
    current: () => reopened ?? firstOf(underTest()),
    async reopen() {
      reopened = await underTest().reopen();
    },
  };
}
