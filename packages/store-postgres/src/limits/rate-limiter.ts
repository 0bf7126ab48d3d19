import { rateDecision, reservationBounds, tokenReservation } from '@modelwire/ports/internal';
import type { RateLimiter, RateSubject } from '@modelwire/ports';
import { toStored } from '@modelwire/store-sql';
import type { SqlDatabase, SqlValue, Statement } from '@modelwire/store-sql';
import type { RateLimits } from '../options.ts';

type Kind = 'requests' | 'tokens';

/** A bucket as stored in the database. */
interface Bucket {
  readonly name: string;
  readonly kind: Kind;
  readonly limit: number;
}

interface Level {
  readonly bucket: string;
  readonly level: number;
}

/**
 * Token buckets in the database, so that limits apply across all replicas; the clock is the database's. A take is one unit: it
 * refills and locks the buckets, takes from all or none, and releases them.
 */
export function postgresRateLimiter(database: SqlDatabase, schema: string, limits: RateLimits): RateLimiter {
  const table = `${schema}.rate_limits`;

  function bucketsOf(subjects: readonly RateSubject[], kind: Kind): Bucket[] {
    return subjects.flatMap((subject) => {
      const field = kind === 'requests' ? 'requestsPerMinute' : 'tokensPerMinute';
      const ownLimit = subject[field];
      const limit = ownLimit === undefined ? limits[field] : ownLimit;
      return limit === undefined || limit === null ? [] : [{ name: toStored(`${kind} ${subject.id}`), kind, limit }];
    });
  }

  /** Refills the buckets until now, subtracts `amount`, and locks them until the unit ends. */
  function refillAndSubtract(buckets: readonly Bucket[], amount: number): Statement<Level> {
    const rows = buckets.map((_, index) => `($${2 * index + 1}, $${2 * index + 2}::float8)`);
    const amountParameter = `$${2 * buckets.length + 1}::float8`;
    const sql = `
      insert into ${table} as kept (bucket, capacity, level, updated_at_ms)
      select bucket, capacity, capacity - ${amountParameter}, extract(epoch from clock_timestamp()) * 1000
      from (values ${rows.join(', ')}) as given (bucket, capacity)
      on conflict (bucket) do update set
        level = least(
          excluded.capacity,
          kept.level + greatest(0, excluded.updated_at_ms - kept.updated_at_ms) * excluded.capacity / 60000
        ) - ${amountParameter},
        capacity = excluded.capacity,
        updated_at_ms = greatest(kept.updated_at_ms, excluded.updated_at_ms)
      returning bucket, level`;
    return { sql, parameters: [...buckets.flatMap(({ name, limit }): SqlValue[] => [name, limit]), amount] };
  }

  /** Takes one from each request bucket if none has less. */
  function takeOne(buckets: readonly Bucket[]): Statement<Level> {
    const numbered = buckets.map(({ kind }, index) => ({ kind, parameter: `$${index + 1}` }));
    const nameParameters = numbered.map(({ parameter }) => parameter).join(', ');
    const requests = numbered.filter(({ kind }) => kind === 'requests').map(({ parameter }) => parameter);
    const sql = `
      update ${table} set level = level - 1
      where bucket in (${requests.length > 0 ? requests.join(', ') : 'null'})
      and not exists (select from ${table} as other where other.bucket in (${nameParameters}) and other.level < 1)
      returning bucket, level`;
    return { sql, parameters: buckets.map(({ name }) => name) };
  }

  /** Takes `max` tokens from each bucket, or as many as all of them have, if no bucket has less than `minToAdmit`. */
  function takeTokens(
    buckets: readonly Bucket[],
    { max, minToAdmit }: { max: number; minToAdmit: number },
  ): Statement<Level> {
    const names = buckets.map((_, index) => `$${index + 1}`).join(', ');
    const [maxParameter, minToAdmitParameter] = [1, 2].map((offset) => `$${buckets.length + offset}::float8`);
    const sql = `
      update ${table} as kept set level = kept.level - least(${maxParameter}, greatest(${minToAdmitParameter}, floor(lowest.level)))
      from (select min(level) as level from ${table} where bucket in (${names})) as lowest
      where bucket in (${names}) and lowest.level >= ${minToAdmitParameter}
      returning kept.bucket, kept.level`;
    return { sql, parameters: [...buckets.map(({ name }) => name), max, minToAdmit] };
  }

  return {
    limitsTokens: (subjects) => bucketsOf(subjects, 'tokens').length > 0,
    async reserve(subjects, demand) {
      const buckets = inLockOrder(bucketsOf(subjects, 'tokens'));
      if (buckets.length === 0) return tokenReservation([], demand);
      const smallest = Math.min(...buckets.map(({ limit }) => limit));
      const bounds = demand.required > smallest ? { max: 0, minToAdmit: 0 } : reservationBounds(demand, smallest);
      const [levels] = await database.write([refillAndSubtract(buckets, 0), takeTokens(buckets, bounds)]);
      const levelOf = new Map(levels.map(({ bucket, level }) => [bucket, level]));
      const bucketStates = buckets.map(({ name, limit }) => ({ level: levelOf.get(name) ?? limit, limit }));
      return tokenReservation(bucketStates, demand);
    },
    async consume(subjects) {
      const buckets = inLockOrder([...bucketsOf(subjects, 'requests'), ...bucketsOf(subjects, 'tokens')]);
      if (buckets.length === 0) return rateDecision([], []);
      const [levels] = await database.write([refillAndSubtract(buckets, 0), takeOne(buckets)]);
      const levelOf = new Map(levels.map(({ bucket, level }) => [bucket, level]));
      const bucketStates = (kind: Kind) =>
        buckets
          .filter((bucket) => bucket.kind === kind)
          .map(({ name, limit }) => ({ level: levelOf.get(name) ?? limit, limit }));
      return rateDecision(bucketStates('requests'), bucketStates('tokens'));
    },
    async charge(subjects, tokens) {
      const buckets = inLockOrder(bucketsOf(subjects, 'tokens'));
      if (buckets.length > 0) await database.write([refillAndSubtract(buckets, tokens)]);
    },
  };
}

/** Deletes full buckets, such as those of keys that are no longer used. */
export function deleteFullBuckets(schema: string): Statement<unknown> {
  const table = `${schema}.rate_limits`;
  const now = 'extract(epoch from clock_timestamp()) * 1000';
  const sql = `
    delete from ${table} where bucket in (
      select bucket from ${table} where level + (${now} - updated_at_ms) * capacity / 60000 >= capacity
      order by bucket for update skip locked
    )`;
  return { sql, parameters: [] };
}

/** Each once, in the same order everywhere: replicas that lock the same buckets in different orders would deadlock. */
function inLockOrder(buckets: readonly Bucket[]): readonly Bucket[] {
  const byName = new Map(buckets.map((bucket) => [bucket.name, bucket]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
