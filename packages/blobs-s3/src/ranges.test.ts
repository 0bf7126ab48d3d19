import { expectRangesToBeSlices } from '@modelwire/ports/testing';
import { test } from 'vitest';
import { openS3Blobs } from './s3-blobs.ts';
import { startS3rver } from './testing/servers.ts';

test('any range of any bytes, written in any pieces, equals the slice of them', { timeout: 600_000 }, async () => {
  const { options, stop } = await startS3rver();
  const blobs = await openS3Blobs(options);
  await expectRangesToBeSlices(blobs, 30);
  await blobs.close();
  await stop();
});
