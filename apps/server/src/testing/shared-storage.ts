import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startS3 } from '@modelwire/blobs-s3/testing';
import type { TestServer as BucketServer } from '@modelwire/blobs-s3/testing';
import { startPostgres } from '@modelwire/store-postgres/testing';
import type { PostgresServer } from '@modelwire/store-postgres/testing';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { countingConfig } from './counting-upstream.ts';
import { startProcess } from './process.ts';
import type { ServerProcess } from './process.ts';

interface ProgramInit {
  readonly upstream: { readonly baseURL: string };
  /** Instead of the address of the bucket. */
  readonly endpoint?: string;
  readonly config?: object;
  readonly env?: Readonly<Record<string, string>>;
}

/** PostgreSQL and a bucket for the tests of a file. Both can be stopped. */
export function useSharedStorage() {
  let postgres: PostgresServer;
  let bucket: BucketServer;
  beforeAll(async () => {
    [postgres, bucket] = await Promise.all([startPostgres(), startS3()]);
  }, 300_000);
  afterAll(async () => {
    await postgres.discard();
    await bucket.stop();
  });
  return {
    postgres: () => postgres,
    bucket: () => bucket.options,
    /** Starts the program in a folder of its own, on the database and the bucket. */
    async startProgram({ upstream, endpoint, config, env }: ProgramInit): Promise<ServerProcess> {
      const cwd = mkdtempSync(join(tmpdir(), 'modelwire-replica-'));
      onTestFinished(() => rmSync(cwd, { recursive: true }));
      const { options } = bucket;
      const complete = countingConfig(upstream, {
        database: postgres.url,
        s3: {
          endpoint: endpoint ?? options.endpoint,
          bucket: options.bucket,
          forcePathStyle: options.forcePathStyle,
        },
        ...config,
      });
      writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(complete));
      const credentials = {
        AWS_ACCESS_KEY_ID: options.accessKeyId,
        AWS_SECRET_ACCESS_KEY: options.secretAccessKey,
      };
      return startProcess(cwd, { ...credentials, ...env });
    },
  };
}
