import { describeBlobs } from '@modelwire/ports/suites/blobs';
import { test } from 'vitest';
import { blobsUnderTest } from './testing/blobs-under-test.ts';
import { startVersitygw } from './testing/servers.ts';

// A server that implements the complete protocol, including signatures. npm has no package of it.
const program = process.env['MODELWIRE_VERSITYGW'];
if (program === undefined) test.skip('blobs on versitygw: MODELWIRE_VERSITYGW must name its program');
else describeBlobs('versitygw', async () => blobsUnderTest(await startVersitygw(program), true));
