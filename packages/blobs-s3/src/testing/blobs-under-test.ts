import type { BlobsUnderTest } from '@modelwire/ports/suites/blobs';
import { openS3Blobs } from '../s3-blobs.ts';
import type { TestServer } from './servers.ts';
import { unfinishedUploads } from './unfinished.ts';

/** The blobs of a test server. `complete`: whether it implements conditional writes and lists unfinished uploads. */
export async function blobsUnderTest({ options, stop }: TestServer, complete: boolean): Promise<BlobsUnderTest> {
  const own = { ...options, prefix: 'some/prefix/' };
  let blobs = await openS3Blobs(own);
  return {
    blobs,
    refusesTakenKeys: complete,
    ...(complete && { unfinished: () => unfinishedUploads(options) }),
    async reopen() {
      await blobs.close();
      return (blobs = await openS3Blobs(own));
    },
    async discard() {
      await blobs.close();
      await stop();
    },
  };
}
