import { join } from 'node:path';
import { FsBlobsError, openFsBlobs } from '@modelwire/blobs-fs';
import { openS3Blobs, S3BlobsError } from '@modelwire/blobs-s3';
import type { Blobs } from '@modelwire/server';
import { ConfigError } from './config/config-error.ts';
import type { Settings } from './settings.ts';

/** Opens the storage of file contents: the bucket configured as `s3`, otherwise the folder `blobs` in the data folder. */
export async function openBlobs({ data, s3, s3Credentials, blobTimeoutMs: timeoutMs }: Settings): Promise<Blobs> {
  try {
    if (!s3) return await openFsBlobs({ path: join(data, 'blobs'), timeoutMs });
    if (!s3Credentials) throw new ConfigError('s3: missing credentials');
    return await openS3Blobs({ ...s3, ...s3Credentials, timeoutMs });
  } catch (error) {
    // These messages are addressed to the operator and contain no secrets.
    if (error instanceof FsBlobsError) throw new ConfigError(`data: ${error.message}`);
    if (error instanceof S3BlobsError || error instanceof TypeError) throw new ConfigError(`s3: ${error.message}`);
    throw error;
  }
}
