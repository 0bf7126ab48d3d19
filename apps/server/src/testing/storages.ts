import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestServer as BucketServer } from '@modelwire/blobs-s3/testing';
import type { PostgresServer } from '@modelwire/store-postgres/testing';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { readSettings } from '../config/settings.ts';
import type { Settings } from '../config/settings.ts';
import { useSharedStorage } from './shared-storage.ts';

export type Variables = Readonly<Record<string, string>>;

export interface Storages {
  postgres(): PostgresServer;
  bucket(): BucketServer['options'];
  /** Variables for an empty PostgreSQL database and a prefix of its own in the bucket. */
  replicated(): Promise<Variables>;
}

/** PostgreSQL and S3 for the tests of a file. */
export function useStorages(): Storages {
  const { postgres, bucket } = useSharedStorage();
  let prefixes = 0;
  return {
    postgres,
    bucket,
    async replicated() {
      const { endpoint, bucket: name, accessKeyId, secretAccessKey } = bucket();
      return {
        ...onDisk(temporaryFolder()),
        MODELWIRE_DATABASE_URL: await postgres().createDatabase(),
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
