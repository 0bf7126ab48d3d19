import type { RateLimiter, Stores } from '@modelwire/server';
import { completionStores } from './completions.ts';
import type { SqlDatabase } from './database.ts';
import { idempotencyStores } from './idempotency.ts';
import { keyStore } from './keys.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots, Statement } from './statement.ts';
import { usageStore } from './usage.ts';

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
  const expired = expiredQueries(builder);
  return {
    project: (id) => ({ completions: completionsOf(id), idempotency: idempotencyOf(id) }),
    keys: keyStore(database, builder),
    usage: usageStore(database, builder),
    rateLimiter,
    async removeExpired({ completionsBefore: before, now, limit }) {
      // Apart, so that neither holds the other up.
      const [answers] = await database.write([expired.idempotency({ now, limit })]);
      if (tidy) await database.write([tidy]);
      if (before === undefined) return answers.length;
      const [completions] = await database.write([expired.completions({ before, limit })]);
      return answers.length + completions.length;
    },
    async check() {
      await database.write([check]);
    },
    close: () => database.close(),
  };
}

function expiredQueries(db: QueryBuilder) {
  return {
    completions: statement((slot: Slots<{ readonly before: number; readonly limit: number }>) =>
      db
        .deleteFrom('completions')
        .where('seq', 'in', (eb) =>
          eb
            .selectFrom('completions as old')
            .select('old.seq')
            .where(
              'old.created',
              '<',
              slot(({ before }) => before),
            )
            .orderBy('old.created')
            .limit(slot(({ limit }) => limit)),
        )
        .returning('seq'),
    ),
    idempotency: statement((slot: Slots<{ readonly now: number; readonly limit: number }>) =>
      db
        .deleteFrom('idempotency')
        .where('slot', 'in', (eb) =>
          eb
            .selectFrom('idempotency as old')
            .select('old.slot')
            .where(
              'old.until',
              '<=',
              slot(({ now }) => now),
            )
            .orderBy('old.until')
            .limit(slot(({ limit }) => limit)),
        )
        .returning('slot'),
    ),
  };
}
