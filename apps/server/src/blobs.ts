import { join } from 'node:path';
import { FsBlobsError, openFsBlobs } from '@modelwire/blobs-fs';
import type { Blobs } from '@modelwire/server';
import { ConfigError } from './config/config-error.ts';
import type { Settings } from './settings.ts';

/** Where this server keeps the bytes of files: the folder `blobs` of the data folder. */
export async function openBlobs({ data }: Settings): Promise<Blobs> {
  try {
    return await openFsBlobs({ path: join(data, 'blobs') });
  } catch (error) {
    // What it says is meant for whoever set it up.
    if (error instanceof FsBlobsError) throw new ConfigError(`data: ${error.message}`);
    throw error;
  }
}
