import { rateDecision, reservationBounds, tokenReservation } from '@modelwire/ports';
import type { RateLimiter, RateSubject } from '@modelwire/ports';
import { toStored } from '@modelwire/store-sql';
import type { SqlDatabase, SqlValue, Statement } from '@modelwire/store-sql';
import type { RateLimits } from './options.ts';

type Kind = 'requests' | 'tokens';

/** A bucket as stored in the database. */
interface Place {
  readonly name: string;
  readonly kind: Kind;
  readonly limit: number;
}

interface Level {
  readonly name: string;
  readonly level: number;
}

/**
 * Token buckets in the database, so that limits apply across all replicas; the clock is the database's. A take is one unit: it
 * refills and locks the buckets, takes from all or none, and releases them.
 */
export function postgresRateLimiter(database: SqlDatabase, schema: string, limits: RateLimits): RateLimiter {
  const table = `${schema}.rate_limits`;

  function placesOf(subjects: readonly RateSubject[], kind: Kind): Place[] {
    return subjects.flatMap((subject) => {
      const field = kind === 'requests' ? 'requestsPerMinute' : 'tokensPerMinute';
      const own = subject[field];
      const limit = own === undefined ? limits[field] : own;
      return limit === undefined || limit === null ? [] : [{ name: toStored(`${kind} ${subject.id}`), kind, limit }];
    });
  }

  /** Refills the buckets until now, subtracts `amount`, and locks them until the unit ends. */
  function fill(places: readonly Place[], amount: number): Statement<Level> {
    const rows = places.map((_, index) => `($${2 * index + 1}, $${2 * index + 2}::float8)`);
    const less = `$${2 * places.length + 1}::float8`;
    const sql = `
      insert into ${table} as kept (name, capacity, level, updated)
      select name, capacity, capacity - ${less}, extract(epoch from clock_timestamp()) * 1000
      from (values ${rows.join(', ')}) as given (name, capacity)
      on conflict (name) do update set
        level = least(
          excluded.capacity,
          kept.level + greatest(0, excluded.updated - kept.updated) * excluded.capacity / 60000
        ) - ${less},
        capacity = excluded.capacity,
        updated = greatest(kept.updated, excluded.updated)
      returning name, level`;
    return { sql, parameters: [...places.flatMap(({ name, limit }): SqlValue[] => [name, limit]), amount] };
  }

  /** Takes one from each request bucket if none has less. */
  function takeOne(places: readonly Place[]): Statement<Level> {
    const numbered = places.map(({ kind }, index) => ({ kind, parameter: `$${index + 1}` }));
    const all = numbered.map(({ parameter }) => parameter).join(', ');
    const requests = numbered.filter(({ kind }) => kind === 'requests').map(({ parameter }) => parameter);
    const sql = `
      update ${table} set level = level - 1
      where name in (${requests.length > 0 ? requests.join(', ') : 'null'})
      and not exists (select from ${table} as other where other.name in (${all}) and other.level < 1)
      returning name, level`;
    return { sql, parameters: places.map(({ name }) => name) };
  }

  /** Takes `max` tokens from each bucket, or as many as all of them have, if no bucket has less than `minToAdmit`. */
  function takeTokens(
    places: readonly Place[],
    { max, minToAdmit }: { max: number; minToAdmit: number },
  ): Statement<Level> {
    const names = places.map((_, index) => `$${index + 1}`).join(', ');
    const [maxParameter, minToAdmitParameter] = [1, 2].map((offset) => `$${places.length + offset}::float8`);
    const sql = `
      update ${table} as kept set level = kept.level - least(${maxParameter}, greatest(${minToAdmitParameter}, floor(lowest.level)))
      from (select min(level) as level from ${table} where name in (${names})) as lowest
      where name in (${names}) and lowest.level >= ${minToAdmitParameter}
      returning kept.name, kept.level`;
    return { sql, parameters: [...places.map(({ name }) => name), max, minToAdmit] };
  }

  return {
    limitsTokens: (subjects) => placesOf(subjects, 'tokens').length > 0,
    async reserve(subjects, demand) {
      const places = inOrder(placesOf(subjects, 'tokens'));
      if (places.length === 0) return tokenReservation([], demand);
      const smallest = Math.min(...places.map(({ limit }) => limit));
      const bounds = demand.required > smallest ? { max: 0, minToAdmit: 0 } : reservationBounds(demand, smallest);
      const [levels] = await database.write([fill(places, 0), takeTokens(places, bounds)]);
      const levelOf = new Map(levels.map(({ name, level }) => [name, level]));
      const buckets = places.map(({ name, limit }) => ({ level: levelOf.get(name) ?? limit, limit }));
      return tokenReservation(buckets, demand);
    },
    async consume(subjects) {
      const places = inOrder([...placesOf(subjects, 'requests'), ...placesOf(subjects, 'tokens')]);
      if (places.length === 0) return rateDecision([], []);
      const [levels] = await database.write([fill(places, 0), takeOne(places)]);
      const levelOf = new Map(levels.map(({ name, level }) => [name, level]));
      const buckets = (kind: Kind) =>
        places
          .filter((place) => place.kind === kind)
          .map(({ name, limit }) => ({ level: levelOf.get(name) ?? limit, limit }));
      return rateDecision(buckets('requests'), buckets('tokens'));
    },
    async charge(subjects, tokens) {
      const places = inOrder(placesOf(subjects, 'tokens'));
      if (places.length > 0) await database.write([fill(places, tokens)]);
    },
  };
}

/** Deletes full buckets, such as those of keys that are no longer used. */
export function forgetFullBuckets(schema: string): Statement<unknown> {
  const table = `${schema}.rate_limits`;
  const now = 'extract(epoch from clock_timestamp()) * 1000';
  const sql = `
    delete from ${table} where name in (
      select name from ${table} where level + (${now} - updated) * capacity / 60000 >= capacity
      order by name for update skip locked
    )`;
  return { sql, parameters: [] };
}

/** Each once, in the same order everywhere: replicas that lock the same buckets in different orders would deadlock. */
function inOrder(places: readonly Place[]): readonly Place[] {
  const byName = new Map(places.map((place) => [place.name, place]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
