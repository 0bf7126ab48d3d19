import { randomUUID } from 'node:crypto';
import type { DueJobs, JobKind, JobStore, Lease } from '@modelwire/ports';
import { sql } from 'kysely';
import type { SqlDatabase } from './database.ts';
import { databaseClock } from './query-builder.ts';
import type { QueryBuilder } from './query-builder.ts';
import { statement } from './statement.ts';
import type { Slots, Statement } from './statement.ts';
import { fromStored, toStored } from './text.ts';
import type { StoredText } from './text.ts';
import { expectRows } from './transaction.ts';
import { matchesKey } from './record-key.ts';
import type { RecordKey } from './record-key.ts';

interface JobOf extends RecordKey {
  readonly kind: JobKind;
}

interface Held extends JobOf {
  readonly token: string;
}

/** `due` of jobs that come before all others. */
const urgentDue = 0;
/** `due` of a job that a server released: before all that have not started. */
const resumedDue = 1;
/** `due` of a job that has ended: it is never claimed, so claims need not look at `status`. */
const neverDue = Number.MAX_SAFE_INTEGER;

interface Due {
  readonly kinds: readonly JobKind[];
  readonly due: DueJobs;
  readonly except: readonly StoredText[];
}

export function jobStore(database: SqlDatabase, db: QueryBuilder): JobStore {
  const queries = jobQueries(db);
  const leaseKey = ({ id, kind, project, token }: Lease): Held => ({
    id: toStored(id),
    kind,
    project: toStored(project),
    token,
  });
  async function updated(one: Statement<unknown>): Promise<boolean> {
    const [rows] = await database.write([one]);
    return rows.length > 0;
  }
  return {
    async claim({ kinds, leaseMs, due = 'any', except = [], token = randomUUID(), countCrash = true }) {
      if (kinds.length === 0) return undefined;
      const wanted: Due = { kinds, due, except: except.map(toStored) };
      // Runs every second on every server and usually finds nothing: a read takes no locks.
      const waiting = await database.read(queries.waiting(wanted));
      if (waiting.length === 0) return undefined;
      const crash = countCrash ? 1 : 0;
      const [[job]] = await database.write([queries.claim({ ...wanted, leaseMs, token, crash })]);
      const kind = kinds.find((one) => one === job?.kind);
      if (!job || !kind) return undefined;
      const { id, project, attempt, crashes, notes } = job;
      return {
        id: fromStored(id),
        kind,
        project: fromStored(project),
        attempt,
        crashes,
        notes: notes === null ? undefined : fromStored(notes),
        token,
      };
    },
    cancelClaim: (token) => updated(queries.cancelClaim({ token })),
    renew: (lease, leaseMs) => updated(queries.renew({ ...leaseKey(lease), leaseMs })),
    async backlog() {
      const rows = await database.scan(queries.backlog({}));
      return rows.map(({ kind, waiting, running, oldest, now }) => ({
        kind,
        waiting,
        running,
        oldestWaitingMs: oldest === null ? 0 : Math.max(0, now - oldest),
      }));
    },
    note: (lease, notes) => updated(queries.note({ ...leaseKey(lease), notes: toStored(notes) })),
    release(lease, { afterMs, untouched = false } = {}) {
      return updated(queries.release({ ...leaseKey(lease), afterMs, untouched }));
    },
  };
}

export interface JobStatements {
  /** Creates a job that is due immediately. */
  insert(job: JobOf): Statement<unknown>;
  /** Rolls back its transaction when the lease was lost, and locks the job until the transaction ends. */
  held(job: Held): Statement<unknown>;
  /** Makes the job due before all others, unless a worker holds it. */
  hurry(job: JobOf): Statement<unknown>;
  remove(job: JobOf): Statement<unknown>;
  /** Gives the job back, due in so many milliseconds. */
  postpone(job: Held & { readonly afterMs: number }): Statement<unknown>;
  /** Ends a batch's job whose results are still to be removed. */
  end(job: JobOf): Statement<unknown>;
}

/** Statements for transactions on the records that jobs are for. The job's statement comes first, so that no two transactions deadlock. */
export function jobStatements(db: QueryBuilder): JobStatements {
  const { insert, held, hurry, remove, end, release } = jobQueries(db);
  return {
    insert,
    held: (job) => expectRows(1, 'the lease is held', held(job)),
    hurry,
    remove,
    end,
    postpone: (job) => release({ ...job, untouched: false }),
  };
}

const isJob = (slot: Slots<JobOf>) => sql<boolean>`${matchesKey(slot)} and kind = ${slot('kind')} and status = 'open'`;
const isHeld = (slot: Slots<Held>) => sql<boolean>`${isJob(slot)} and token = ${slot('token')}`;

function jobQueries(db: QueryBuilder) {
  const clock = databaseClock(db);
  const due = (slot: Slots<Due>, { kinds, due: wanted, except }: Due) => {
    const query = db
      .selectFrom('jobs as due')
      .select('due.seq')
      .where('due.due', '>=', typeof wanted === 'object' ? resumedDue + 1 : urgentDue)
      .where('due.due', '<=', upperBound(slot, wanted))
      .where(isOfKind(slot, kinds))
      .orderBy('due.due')
      .orderBy('due.seq')
      .limit(1);
    if (except.length === 0) return query;
    return query.where(
      'due.project',
      'not in',
      except.map((_, index) => slot((v) => v.except[index] ?? toStored(''))),
    );
  };
  function upperBound(slot: Slots<Due>, wanted: DueJobs) {
    if (wanted === 'any') return clock;
    if (wanted === 'urgent') return sql<number>`${urgentDue}`;
    return sql<number>`${clock} - ${slot(({ due }) => (typeof due === 'object' ? due.notBegunForMs : 0))}`;
  }
  function isOfKind(slot: Slots<Due>, kinds: readonly JobKind[]) {
    const values = kinds.map((_, index) => slot((v) => v.kinds[index] ?? 'batch'));
    if (values.length === 1) return sql<boolean>`due.kind = ${values[0]}`;
    // An expression: the index of jobs by kind would return the due jobs of several kinds out of order, and all of them would be sorted.
    return sql<boolean>`coalesce(due.kind, '') in (${sql.join(values)})`;
  }
  const shapeOf = ({ kinds, due, except }: Due): string =>
    `${kinds.length} ${typeof due === 'object' ? 'not begun' : due} ${except.length}`;
  const later = (slot: Slots<{ readonly leaseMs: number }>) => sql<number>`${clock} + ${slot('leaseMs')}`;
  const update = (slot: Slots<Held>) => db.updateTable('jobs').where(isHeld(slot)).returning('seq');

  return {
    waiting: statement(due, shapeOf),

    claim: statement(
      (slot: Slots<Due & { readonly leaseMs: number; readonly token: string; readonly crash: number }>, like) =>
        db
          .updateTable('jobs')
          .set((eb) => ({
            due: later(slot),
            token: slot('token'),
            attempt: eb('attempt', '+', 1),
            // A worker that shuts down releases its jobs. A job that is still held at its due time was held by a crashed worker.
            crashes: sql<number>`crashes + case when token is null then 0 else ${slot('crash')} end`,
          }))
          // Skips jobs that other servers are claiming.
          .where('seq', '=', due(slot, like).forUpdate().skipLocked())
          .returning(['id', 'kind', 'project', 'attempt', 'crashes', 'notes']),
      shapeOf,
    ),

    // Scans all jobs: an index of tokens would be written with each claim, and this statement is rare.
    cancelClaim: statement((slot: Slots<{ readonly token: string }>) =>
      db
        .updateTable('jobs')
        .set((eb) => ({ due: resumedDue, token: null, attempt: eb('attempt', '-', 1) }))
        .where('token', '=', slot('token'))
        .returning('seq'),
    ),

    renew: statement((slot: Slots<Held & { readonly leaseMs: number }>) => update(slot).set({ due: later(slot) })),

    backlog: statement(() =>
      db
        .selectFrom('jobs')
        .select([
          'kind',
          sql<number>`sum(case when token is null and due <= ${clock} then 1 else 0 end)`.as('waiting'),
          sql<number>`sum(case when token is null then 0 else 1 end)`.as('running'),
          // Jobs that were begun or are urgent have no time in `due`.
          sql<number | null>`min(case when token is null and due > ${resumedDue} then due end)`.as('oldest'),
          sql<number>`${clock}`.as('now'),
        ])
        .where('status', '=', 'open')
        .groupBy('kind')
        .orderBy('kind'),
    ),

    note: statement((slot: Slots<Held & { readonly notes: StoredText }>) =>
      update(slot).set({ notes: slot('notes'), crashes: 0 }),
    ),

    release: statement(
      (
        slot: Slots<Held & { readonly afterMs: number | undefined; readonly untouched: boolean }>,
        { afterMs, untouched },
      ) => {
        const released = update(slot).set({
          due: afterMs === undefined ? resumedDue : sql<number>`${clock} + ${slot((v) => v.afterMs ?? 0)}`,
          token: null,
        });
        return untouched ? released.set((eb) => ({ attempt: eb('attempt', '-', 1) })) : released;
      },
      ({ afterMs, untouched }) => `${afterMs === undefined ? 'resumed' : 'later'} ${untouched}`,
    ),

    insert: statement((slot: Slots<JobOf>) =>
      db.insertInto('jobs').values({
        id: slot('id'),
        kind: slot('kind'),
        project: slot('project'),
        due: clock,
        status: 'open',
        token: null,
        attempt: 0,
        crashes: 0,
        notes: null,
      }),
    ),

    held: statement((slot: Slots<Held>) => db.selectFrom('jobs').select('seq').where(isHeld(slot)).forUpdate()),

    hurry: statement((slot: Slots<JobOf>) =>
      db.updateTable('jobs').set({ due: urgentDue }).where(isJob(slot)).where('token', 'is', null),
    ),

    remove: statement((slot: Slots<JobOf>) => db.deleteFrom('jobs').where(isJob(slot))),

    end: statement((slot: Slots<JobOf>) =>
      db.updateTable('jobs').set({ status: 'ended', due: neverDue, token: null }).where(isJob(slot)),
    ),
  };
}
