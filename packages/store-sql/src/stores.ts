import type { RateLimiter, Stores } from '@modelwire/ports';
import { batchStores } from './batches.ts';
import { completionStores } from './completions.ts';
import type { SqlDatabase } from './database.ts';
import { removingExpired } from './expiry.ts';
import { fileStores } from './files.ts';
import { idempotencyStores } from './idempotency.ts';
import { jobStore } from './jobs.ts';
import { keyStore } from './keys.ts';
import { blobLedger } from './ledger.ts';
import type { QueryBuilder } from './query-builder.ts';
import type { Statement } from './statement.ts';
import { uploadStores } from './uploads.ts';
import { usageStore } from './usage.ts';
import { videoStores } from './videos.ts';

export interface SqlStoresInit {
  readonly database: SqlDatabase;
  readonly builder: QueryBuilder;
  /** Asks whether the database can be written to, writing nothing that stays. */
  readonly check: Statement<unknown>;
  readonly rateLimiter?: RateLimiter | undefined;
  /** What else is tidied up when what expired is removed. */
  readonly tidy?: Statement<unknown> | undefined;
}

/** All the stores, over a database whose tables are there. */
export function sqlStores({ database, builder, check, rateLimiter, tidy }: SqlStoresInit): Stores {
  const completionsOf = completionStores(database, builder);
  const idempotencyOf = idempotencyStores(database, builder);
  const filesOf = fileStores(database, builder);
  const uploadsOf = uploadStores(database, builder);
  const batchesOf = batchStores(database, builder);
  const videosOf = videoStores(database, builder);
  return {
    project: (id) => ({
      completions: completionsOf(id),
      idempotency: idempotencyOf(id),
      files: filesOf(id),
      uploads: uploadsOf(id),
      batches: batchesOf(id),
      videos: videosOf(id),
    }),
    keys: keyStore(database, builder),
    usage: usageStore(database, builder),
    jobs: jobStore(database, builder),
    ledger: blobLedger(database, builder),
    rateLimiter,
    removeExpired: removingExpired(database, builder, tidy),
    async check() {
      await database.write([check]);
    },
    hasFailed: () => database.hasFailed?.() === true,
    close: () => database.close(),
  };
}
