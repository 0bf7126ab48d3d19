import { afterAll, beforeAll } from 'vitest';

/** A storage for one group of tests, empty at first. */
export interface StorageUnderTest<Storage> {
  /** Opens the storage, also again after it was closed, as after a restart. */
  open(): Storage | Promise<Storage>;
  /** Removes its data. Called once at the end, after it was closed. */
  remove?(): void | Promise<void>;
}

/** Opens a storage before the tests of a group, and closes and removes it after them. */
export function openForGroup<Storage extends { close(): Promise<void> }, UnderTest extends StorageUnderTest<Storage>>(
  create: () => Promise<UnderTest>,
) {
  let created: UnderTest | undefined;
  let opened: Storage | undefined;
  const whenOpen = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error('not open yet');
    return value;
  };
  beforeAll(async () => {
    created = await create();
    opened = await created.open();
  });
  afterAll(async () => {
    try {
      await opened?.close();
    } finally {
      await created?.remove?.();
    }
  });
  return {
    underTest: () => whenOpen(created),
    /** The open storage. */
    current: () => whenOpen(opened),
    async reopen(): Promise<void> {
      await whenOpen(opened).close();
      opened = await whenOpen(created).open();
    },
  };
}
