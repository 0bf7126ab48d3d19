import type { Blobs } from '../../blobs.ts';
import { openForGroup } from '../open-for-group.ts';

/** An empty store of bytes for one group of tests. */
export interface BlobsUnderTest {
  readonly blobs: Blobs;
  /**
   * Whether a second write under a key is refused. False for a backend that cannot detect it: then the complete bytes of one of the two writes
   * must be stored.
   */
  readonly refusesTakenKeys: boolean;
  /** The number of unfinished writes that are kept, if it is known. */
  unfinished?(): Promise<number>;
  /** Closes and reopens the store, as after a restart. */
  reopen(): Promise<Blobs>;
  /** Called once at the end with the open blobs. Closes them and removes their data. */
  discard(): Promise<void>;
}

export interface OpenBlobs {
  /** Open while tests run. */
  readonly blobs: () => Blobs;
  readonly underTest: () => BlobsUnderTest;
  readonly reopen: () => Promise<void>;
}

/** Opens a store for the tests of one group. */
export function openBlobs(open: () => Promise<BlobsUnderTest>): OpenBlobs {
  const underTest = openForGroup(open);
  let current: Blobs | undefined;
  return {
    underTest,
    blobs: () => current ?? underTest().blobs,
    async reopen() {
      current = await underTest().reopen();
    },
  };
}
