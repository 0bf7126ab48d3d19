import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startS3 } from '@modelwire/blobs-s3/testing';
import type { TestServer as BucketServer } from '@modelwire/blobs-s3/testing';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { afterAll, beforeAll } from 'vitest';
import { readSettings } from '../config/settings.ts';
import type { Settings } from '../config/settings.ts';
import { createDatabase } from './postgres-database.ts';

export type Variables = Readonly<Record<string, string>>;

export interface Storages {
  bucket(): BucketServer['options'];
  /** Variables for a PostgreSQL database, an empty one by default, and a prefix of its own in the bucket. */
  replicated(url?: string): Promise<Variables>;
}

/** PostgreSQL and S3 for the tests of a file. */
export function useStorages(): Storages {
  let server: BucketServer;
  beforeAll(async () => void (server = await startS3()));
  afterAll(() => server.stop());
  let prefixes = 0;
  return {
    bucket: () => server.options,
    async replicated(url) {
      const { endpoint, bucket: name, accessKeyId, secretAccessKey } = server.options;
      return {
        ...onDisk(temporaryFolder()),
        MODELWIRE_DATABASE_URL: url ?? (await createDatabase()),
        MODELWIRE_S3_ENDPOINT: endpoint,
        MODELWIRE_S3_BUCKET: name,
        MODELWIRE_S3_PREFIX: `move-${++prefixes}/`,
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
      };
    },
  };
}

/** Variables for SQLite and a folder. */
export function onDisk(data = join(temporaryFolder(), 'data')): Variables {
  return { MODELWIRE_DATA: data, MODELWIRE_LOG_LEVEL: 'silent', PORT: '0' };
}

export function settingsOf(variables: Variables): Promise<Settings> {
  return readSettings(tmpdir(), variables);
}
