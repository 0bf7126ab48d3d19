import { join } from 'node:path';
import { FsBlobsError, openFsBlobs } from '@modelwire/blobs-fs';
import type { Blobs } from '@modelwire/ports';
import type { Logger } from 'pino';
import { ConfigError } from '../config/config-error.ts';
import type { Settings } from '../config/settings.ts';
import { errorLogFields } from '../log/error-log-fields.ts';

/** Opens the storage of file contents: the bucket configured as `s3`, otherwise the folder `blobs` in the data folder. */
export async function openBlobs({
  data,
  s3,
  s3Credentials,
  blobTimeoutMs: timeoutMs,
}: Pick<Settings, 'data' | 's3' | 's3Credentials' | 'blobTimeoutMs'>): Promise<Blobs> {
  // The messages of these errors are addressed to the operator and contain no secrets.
  if (!s3) {
    return openFsBlobs({ path: join(data, 'blobs'), timeoutMs }).catch((error: unknown) => {
      throw error instanceof FsBlobsError ? new ConfigError(`data: ${error.message}`) : error;
    });
  }
  const { openS3Blobs, S3BlobsError } = await import('@modelwire/blobs-s3');
  try {
    return await openS3Blobs({ ...s3, ...s3Credentials, timeoutMs });
  } catch (error) {
    if (error instanceof S3BlobsError || error instanceof TypeError) throw new ConfigError(`s3: ${error.message}`);
    throw error;
  }
}

/** Logs why a bucket cannot be used when a server starts, which starts nevertheless: requests without files work. */
export async function logUnusableBucket(
  { s3 }: Pick<Settings, 's3'>,
  blobs: Pick<Blobs, 'check'>,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  if (!s3) return;
  try {
    await blobs.check();
  } catch (error) {
    const { bucket, endpoint, region } = s3;
    logger.warn({ bucket, endpoint, region, ...errorLogFields(error) }, 'the bucket for contents of files is unusable');
  }
}
