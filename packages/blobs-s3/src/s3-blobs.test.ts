import { describeBlobs } from '@modelwire/server/blob-suite';
import type { BlobsUnderTest } from '@modelwire/server/blob-suite';
import { openS3Blobs } from './s3-blobs.ts';
import { startS3rver, startVersitygw } from './testing/servers.ts';
import type { TestServer } from './testing/servers.ts';
import { unfinishedUploads } from './testing/unfinished.ts';

async function under({ options, stop }: TestServer, complete: boolean): Promise<BlobsUnderTest> {
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

describeBlobs('s3rver', async () => under(await startS3rver(), false));

// A server that knows all of the protocol is no package of npm: where its program is, it is tested too.
const program = process.env['MODELWIRE_VERSITYGW'];
if (program !== undefined) describeBlobs('versitygw', async () => under(await startVersitygw(program), true));
