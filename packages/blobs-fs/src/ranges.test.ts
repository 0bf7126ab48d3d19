import { expectRangesToBeSlices } from '@modelwire/ports/testing';
import { test } from 'vitest';
import { openFsBlobs } from './fs-blobs.ts';
import { testFolder } from './testing/folder.ts';

test('any range of any bytes, written in any pieces, equals the slice of them', { timeout: 600_000 }, async () => {
  const blobs = await openFsBlobs({ path: await testFolder() });
  await expectRangesToBeSlices(blobs, 60);
  await blobs.close();
});
