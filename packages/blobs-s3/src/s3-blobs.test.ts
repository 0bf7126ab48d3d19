import { describeBlobs } from '@modelwire/ports/suites/blobs';
import { blobsUnderTest } from './testing/blobs-under-test.ts';
import { startS3rver } from './testing/servers.ts';

describeBlobs('s3rver', async () => blobsUnderTest(await startS3rver(), false));
