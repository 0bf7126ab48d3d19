import { createRunningOperations } from '@modelwire/adapter-kit';
import pg from 'pg';
import { StoreError, UnmetError } from '@modelwire/store-sql/migrations';
import type { RowsOf, SqlDatabase, Statement } from '@modelwire/store-sql';
import { codeOf, errorOf, isDisconnection, isStandby, readOnly, timedOut } from './failure.ts';
import { integerTypes } from './integer-types.ts';
import { createLimitPerKey } from '../limits/limit-per-key.ts';
import type { ResolvedOptions } from '../options.ts';

type Rows = readonly Record<string, unknown>[];

export interface PoolDatabase extends SqlDatabase {
  /** Runs `use` with a connection of the pool, for work beyond a single unit. */
  withClient<Result>(use: (client: pg.ClientBase) => Promise<Result>): Promise<Result>;
}

/** Writes that can be repeated: PostgreSQL has rolled back one of two that were deadlocked, or refused one. */
const withoutEffect: ReadonlySet<string> = new Set(['40P01', readOnly]);
const maxWriteAttempts = 3;

interface Connection {
  /** Its settings, and the check that it does not lead to a standby. */
  readonly prepared: Promise<void>;
  readonly generation: number;
}

/**
 * How many units that contend for the same lock use a connection: one holds the lock while the other prepares its writes. More of them would only
 * wait in the database, with connections that other units need.
 */
const maxContending = 2;

/**
 * All our queries scan an index and look up the few rows they need. The planner does not know that a reader stops after a page:
 * without these settings it sometimes chooses a plan that reads a million rows first, or starts parallel workers for 5 ms to
 * save 0.3. A bitmap scan reads the index entries of deleted rows each time, until a vacuum; an index scan only once.
 */
const plannerSettings = ['enable_hashjoin', 'enable_mergejoin', 'enable_sort', 'enable_bitmapscan', 'jit']
  .map((name) => `set ${name} = off`)
  .concat('set max_parallel_workers_per_gather = 0');

/**
 * The settings of each connection. Not in its parameters, because PgBouncer rejects those that it does not know. In transaction mode they reach
 * only some of its connections: there its `connect_query` has to be the same.
 */
export function sessionSettings({ operationTimeoutMs }: Pick<ResolvedOptions, 'operationTimeoutMs'>): string {
  return [
    ...plannerSettings,
    // Earlier than the timeout of the operation, so that the caller usually learns that nothing was written.
    `set statement_timeout = ${Math.ceil(operationTimeoutMs * 0.8)}`,
    // When a server's machine fails within a unit, PostgreSQL would keep its locks until TCP times out, for hours: its jobs could
    // not be taken over, nor its batches cancelled.
    `set idle_in_transaction_session_timeout = ${operationTimeoutMs}`,
  ].join('; ');
}

export function poolDatabase(options: ResolvedOptions): PoolDatabase {
  const { url, poolSize, operationTimeoutMs, connectTimeoutMs } = options;
  const settings = sessionSettings(options);
  const pool = new pg.Pool({
    connectionString: url,
    fallback_application_name: 'modelwire',
    max: poolSize,
    // The statements of a unit are pipelined: one round trip, whatever their number.
    pipeline: true,
    // Ends a query without a response, so that its connection is closed. The caller already has its error.
    query_timeout: operationTimeoutMs + 1000,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    allowExitOnIdle: true,
    types: integerTypes,
  });
  // An idle connection that breaks is replaced by the pool. One that breaks in use reports it twice, also by an event.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    const prepared = prepare(client, settings);
    // A failure surfaces at its first use.
    prepared.catch(() => {});
    connections.set(client, { prepared, generation });
  });
  const connections = new WeakMap<pg.ClientBase, Connection>();
  /** Connections of earlier generations may all lead to a server that has become read-only. */
  let generation = 0;

  const withName = createStatementNamer();
  const limitPerLock = createLimitPerKey(maxContending);
  const operations = createRunningOperations();
  let closing: Promise<void> | undefined;

  async function withClient<Result>(
    use: (client: pg.ClientBase) => Promise<Result>,
    isNeeded: () => boolean = () => true,
  ): Promise<Result> {
    if (closing) throw new StoreError('The store is closed.', { code: 'CLOSED' });
    return operations.track(withPooledClient(use, isNeeded));
  }
  async function withPooledClient<Result>(
    use: (client: pg.ClientBase) => Promise<Result>,
    isNeeded: () => boolean,
  ): Promise<Result> {
    const client = await connect();
    if (!isNeeded()) {
      client.release();
      throw timedOut();
    }
    try {
      const result = await use(client);
      client.release();
      return result;
    } catch (reason) {
      const error = errorOf(reason);
      if (codeOf(error) === readOnly && connections.get(client)?.generation === generation) generation++;
      client.release(isDisconnection(error));
      throw error;
    }
  }
  async function connect(): Promise<pg.PoolClient> {
    try {
      for (;;) {
        const client = await pool.connect();
        if (await isUsable(client)) return client;
      }
    } catch (reason) {
      throw errorOf(reason);
    }
  }
  /** Closes a connection that is not usable, and rejects if that is because its preparation has failed. */
  async function isUsable(client: pg.PoolClient): Promise<boolean> {
    const connection = connections.get(client);
    let isCurrent = false;
    try {
      await connection?.prepared;
      isCurrent = connection?.generation === generation;
      return isCurrent;
    } finally {
      if (!isCurrent) client.release(true);
    }
  }

  /** Rejects when the operation takes too long. An operation still without a connection is not run. */
  async function withinTime<Result>(
    run: (use: <Value>(work: (client: pg.ClientBase) => Promise<Value>) => Promise<Value>) => Promise<Result>,
  ): Promise<Result> {
    let expired = false;
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        expired = true;
        reject(timedOut());
      }, operationTimeoutMs);
    });
    try {
      return await Promise.race([run((use) => withClient(use, () => !expired)), deadline]);
    } finally {
      clearTimeout(timer);
    }
  }

  async function read<Row>(statement: Statement<Row>): Promise<readonly Row[]> {
    const rows = await withinTime((use) =>
      retryOnDisconnection(() => use((client) => query(client, withName(statement)))),
    );
    return rows as unknown as readonly Row[];
  }

  return {
    withClient,
    read,
    scan: read,
    async write<const Unit extends readonly Statement<unknown>[]>(unit: Unit) {
      const statements = unit.map(withName);
      const lock = unit.find(({ contendedLock }) => contendedLock !== undefined)?.contendedLock;
      const rows = await withinTime((use) =>
        limitPerLock(lock, () => retryWithoutEffect(() => use((client) => runUnit(client, statements)))),
      );
      // The rows have the columns of the tables that the statements were written for.
      return rows as unknown as RowsOf<Unit>;
    },
    close: () => (closing ??= finish()),
  };

  async function finish(): Promise<void> {
    await operations.ended();
    await pool.end();
  }
}

/** Refuses a standby, which the address may lead to during a failover: it has no errors for reads, but outdated records. */
async function prepare(client: pg.ClientBase, settings: string): Promise<void> {
  const [{ rows }] = await Promise.all([
    client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"'),
    client.query(settings),
  ]);
  if (rows[0]?.isStandby) throw isStandby();
}

/** A restarted server is noticed when a connection is next used. Repeating a read is safe. */
async function retryOnDisconnection(run: () => Promise<Rows>): Promise<Rows> {
  try {
    return await run();
  } catch (reason) {
    if (reason instanceof StoreError && isDisconnection(reason) && reason.code !== 'TIMEOUT') return run();
    throw reason;
  }
}

async function retryWithoutEffect(run: () => Promise<readonly Rows[]>): Promise<readonly Rows[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (reason) {
      if (!withoutEffect.has(codeOf(reason) ?? '') || attempt === maxWriteAttempts) throw reason;
    }
  }
}

/** A named statement, whose plan the connection caches. */
type NamedStatement = Statement<unknown> & { readonly name: string | undefined };

/** A connection plans each statement once. Usage queries can have any shape: beyond the limit they are planned each time. */
function createStatementNamer(): (statement: Statement<unknown>) => NamedStatement {
  const names = new Map<string, string>();
  return ({ sql, parameters, expected }) => {
    let name = names.get(sql);
    if (name === undefined && names.size < 256) names.set(sql, (name = `modelwire_${names.size}`));
    return { sql, parameters, expected, name };
  };
}

async function runUnit(client: pg.ClientBase, unit: readonly NamedStatement[]): Promise<readonly Rows[]> {
  if (unit.some(({ expected }) => expected)) return runGuardedUnit(client, unit);
  if (unit.length < 2) return Promise.all(unit.map((statement) => query(client, statement)));
  const begin = client.query('begin');
  const running = unit.map((statement) => query(client, statement));
  const commit = client.query('commit');
  // After the first failure the others only report that the transaction is aborted; its commit rolls back.
  for (const outcome of await Promise.allSettled([begin, ...running, commit])) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
  return Promise.all(running);
}

/** One more round trip: whether to commit depends on the results. */
async function runGuardedUnit(client: pg.ClientBase, unit: readonly NamedStatement[]): Promise<readonly Rows[]> {
  const begin = client.query('begin');
  const outcomes = await Promise.allSettled([begin, ...unit.map((statement) => query(client, statement))]);
  try {
    const [, ...settled] = outcomes;
    // In order: a statement after an unmet condition may fail because of it.
    const rows = settled.map((outcome, index) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      const found = outcome.value;
      const expected = unit[index]?.expected;
      if (expected && found.length !== expected.rows) throw new UnmetError(expected.condition);
      return found;
    });
    await client.query('commit');
    return rows;
  } catch (reason) {
    await client.query('rollback');
    throw reason;
  }
}

async function query(client: pg.ClientBase, { name, sql, parameters }: NamedStatement): Promise<Rows> {
  const { rows } = await client.query<Record<string, unknown>>({ name, text: sql, values: [...parameters] });
  return rows;
}
