import type { Expected, SqlValue } from '@modelwire/store-sql';
import type { StoreErrorInit } from '@modelwire/store-sql/migrations';

/** Messages between the threads: few, with plain data. */
export interface ThreadInit {
  readonly path: string;
  readonly writes: boolean;
  readonly busyTimeoutMs: number;
}

export interface SqlCall {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
  readonly expected?: Expected | undefined;
  readonly freesSpace?: boolean | undefined;
}

/** To the thread. A batch is a list of units, a unit a list of statements. */
export type ThreadCommand =
  | { readonly type: 'open' }
  | { readonly type: 'run'; readonly batch: readonly (readonly SqlCall[])[] }
  | { readonly type: 'close' };

export type Row = Readonly<Record<string, SqlValue>>;

export type Failure =
  | { readonly type: 'unmet'; readonly condition: string }
  | ({ readonly type: 'failed'; readonly message: string } & StoreErrorInit)
  | { readonly type: 'too new'; readonly found: number; readonly known: number };

/** Result of one unit: the rows of each of its statements. */
export type Outcome = { readonly type: 'done'; readonly rows: readonly (readonly Row[])[] } | Failure;

/** From the thread. */
export type ThreadReport =
  { readonly type: 'opened' } | { readonly type: 'ran'; readonly outcomes: readonly Outcome[] } | Failure;
