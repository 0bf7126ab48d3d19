import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

// PostgreSQL cannot infer the types of parameters in a select list.

export const asText = <Value extends string | null>(value: Value): RawBuilder<Value> =>
  sql<Value>`cast(${value} as text)`;

export const asBigint = (value: number): RawBuilder<number> => sql<number>`cast(${value} as bigint)`;
