import type { Blobs } from '../../blobs.ts';
import { openForGroup } from '../open-for-group.ts';
import type { StorageUnderTest } from '../open-for-group.ts';

/** An empty store of bytes for one group of tests. */
export interface BlobsUnderTest extends StorageUnderTest<Blobs> {
  /**
   * Whether a second write under a key is refused. False for a backend that cannot detect it: then the complete bytes of one of the two writes
   * must be stored.
   */
  readonly refusesTakenKeys: boolean;
  /** The number of unfinished writes that are kept, if it is known. */
  unfinished?(): Promise<number>;
}

/** Opens a store for the tests of one group. */
export function openBlobs(create: () => Promise<BlobsUnderTest>) {
  const { current: blobs, ...opened } = openForGroup<Blobs, BlobsUnderTest>(create);
  return { ...opened, blobs };
}
