import { join } from 'node:path';
import { FsBlobsError, openFsBlobs } from '@modelwire/blobs-fs';
import { openS3Blobs, S3BlobsError } from '@modelwire/blobs-s3';
import type { Blobs } from '@modelwire/server';
import { ConfigError } from './config/config-error.ts';
import type { Settings } from './settings.ts';

/** Where this server keeps the bytes of files: the bucket that `s3` names, else the folder `blobs` of the data folder. */
export async function openBlobs({ data, s3, s3Credentials, bytesTimeoutMs: timeoutMs }: Settings): Promise<Blobs> {
  try {
    if (!s3) return await openFsBlobs({ path: join(data, 'blobs'), timeoutMs });
    if (!s3Credentials) throw new ConfigError('s3: there are no credentials');
    return await openS3Blobs({ ...s3, ...s3Credentials, timeoutMs });
  } catch (error) {
    // What they say is meant for whoever set it up; none of them quotes a secret.
    if (error instanceof FsBlobsError) throw new ConfigError(`data: ${error.message}`);
    if (error instanceof S3BlobsError || error instanceof TypeError) throw new ConfigError(`s3: ${error.message}`);
    throw error;
  }
}
