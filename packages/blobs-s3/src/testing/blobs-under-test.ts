import type { BlobsUnderTest } from '@modelwire/ports/suites/blobs';
import { openS3Blobs } from '../s3-blobs.ts';
import type { TestServer } from './servers.ts';
import { unfinishedUploads } from './unfinished.ts';

/** The blobs of a test server. `complete`: whether it implements conditional writes and lists unfinished uploads. */
export function blobsUnderTest({ options, stop }: TestServer, complete: boolean): BlobsUnderTest {
  return {
    refusesTakenKeys: complete,
    open: () => openS3Blobs({ ...options, prefix: 'some/prefix/' }),
    ...(complete && { unfinished: () => unfinishedUploads(options) }),
    remove: stop,
  };
}
