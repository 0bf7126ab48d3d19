import { maxCount } from '@modelwire/adapter-kit/internal';
import { sql } from 'kysely';
import type { Expression, RawBuilder } from 'kysely';

/**
 * A count of at most `maxCount`. A larger one could not be read as a number of JavaScript, and a sum that overflows 64 bits could not be
 * written. SQLite and PostgreSQL have no common function for the smaller of two numbers.
 */
export function saturate(count: Expression<number>): RawBuilder<number> {
  const max = sql.lit(maxCount);
  return sql<number>`case when ${count} > ${max} then ${max} else ${count} end`;
}
