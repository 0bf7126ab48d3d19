import { randomUUID } from 'node:crypto';
import type { DueJobs, JobKind, JobStore, Lease } from '@modelwire/ports';
import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { SqlDatabase } from '../database/database.ts';
import { databaseClock } from '../query/query-builder.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { slotList, statement } from '../query/statement.ts';
import type { Slots, Statement } from '../query/statement.ts';
import type { Tables } from '../schema/tables.ts';
import { fromStored, toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';
import { expectRows } from '../database/transaction.ts';
import { matchesKey } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';

export interface JobOf extends RecordKey {
  readonly kind: JobKind;
}

export interface Held extends JobOf {
  readonly token: string;
}

/** `due_at_ms` of jobs that come before all others. */
const urgentDue = 0;
/** `due_at_ms` of a job that a server released: before all that have not started. */
const resumedDue = 1;
/** `due_at_ms` of a job that has ended: it is never claimed, so claims need not look at `status`. */
const neverDue = Number.MAX_SAFE_INTEGER;

/** Due jobs that a claim reads to find a project. If it has to pass over all of them, it looks for each project's oldest job instead. */
const headLength = 100;

interface Due {
  readonly kinds: readonly JobKind[];
  readonly due: DueJobs;
  readonly except: readonly StoredText[];
  /** Only jobs of this project. */
  readonly project?: StoredText | undefined;
}

export function jobStore(database: SqlDatabase, db: QueryBuilder): JobStore {
  const queries = jobQueries(db);
  const leaseKey = ({ id, kind, project, token }: Lease): Held => ({
    id: toStored(id),
    kind,
    project_id: toStored(project),
    token,
  });
  async function runUpdate(query: Statement<unknown>): Promise<boolean> {
    const [rows] = await database.write([query]);
    return rows.length > 0;
  }

  async function claimFirst(filter: Due, claimed: Claimed): Promise<ClaimedRow | undefined> {
    if (filter.kinds.length === 0) return undefined;
    // Runs every second on every server and usually finds nothing: a read takes no locks.
    const waiting = await database.read(queries.waiting(filter));
    if (waiting.length === 0) return undefined;
    const [[job]] = await database.write([queries.claim({ ...filter, ...claimed })]);
    return job;
  }

  /** Claims a job without reading the jobs of the projects that are passed over, of which there may be any number. */
  async function claimByProject(filter: Due, claimed: Claimed): Promise<ClaimedRow | undefined> {
    const except = [...filter.except];
    for (
      let project = await nextProject(filter);
      project !== undefined;
      project = await nextProject({ ...filter, except })
    ) {
      const [[job]] = await database.write([queries.claim({ ...filter, ...claimed, except: [], project })]);
      if (job) return job;
      // Other servers have just claimed its jobs.
      except.push(project);
    }
    return undefined;
  }

  /** The project of the job that has been due longest. */
  async function nextProject(filter: Due): Promise<StoredText | undefined> {
    const [head] = await database.read(queries.head(filter));
    if (!head || head.project_id !== null) return head?.project_id ?? undefined;
    if ((head.length ?? 0) < headLength) return undefined;
    const [next] = await database.read(queries.nextProject(filter));
    return next?.project_id;
  }

  return {
    async claim({ kinds, leaseMs, due = 'any', except = [], token = randomUUID(), countCrash = true }) {
      const filter: Due = { kinds, due, except: except.map(toStored) };
      const claimed = { leaseMs, token, crash: countCrash ? 1 : 0 };
      const job = await (isPassingOver(filter) ? claimByProject(filter, claimed) : claimFirst(filter, claimed));
      const kind = kinds.find((candidate) => candidate === job?.kind);
      if (!job || !kind) return undefined;
      const { id, project_id, attempts: attempt, crashes, notes: stored } = job;
      const notes = stored === null ? undefined : fromStored(stored);
      return { id: fromStored(id), kind, project: fromStored(project_id), attempt, crashes, notes, token };
    },
    cancelClaim: (token) => runUpdate(queries.cancelClaim({ token })),
    renew: (lease, leaseMs) => runUpdate(queries.renew({ ...leaseKey(lease), leaseMs })),
    async backlog() {
      const rows = await database.scan(queries.backlog({}));
      return rows.map(({ kind, waiting, running, oldest, now }) => ({
        kind,
        waiting,
        running,
        oldestWaitingMs: oldest === null ? 0 : Math.max(0, now - oldest),
      }));
    },
    note: (lease, notes) => runUpdate(queries.note({ ...leaseKey(lease), notes: toStored(notes) })),
    release(lease, { afterMs, skipAttempt = false } = {}) {
      return runUpdate(queries.release({ ...leaseKey(lease), afterMs, skipAttempt }));
    },
  };
}

/** Whether projects are passed over by a claim of one kind: the index of projects begins with the kind. */
function isPassingOver({ kinds, due, except }: Due): boolean {
  return except.length > 0 && kinds.length === 1 && due === 'any';
}

interface Claimed {
  readonly leaseMs: number;
  readonly token: string;
  /** Added to `crashes` of a job whose lease expired while it was held. */
  readonly crash: number;
}

type ClaimedRow = Pick<Selectable<Tables['jobs']>, 'id' | 'kind' | 'project_id' | 'attempts' | 'crashes' | 'notes'>;

/** Statements for transactions on the records that jobs are for. The job's statement comes first, so that no two transactions deadlock. */
export function jobStatements(db: QueryBuilder) {
  const { insert, held, makeUrgent, remove, end, release } = jobQueries(db);
  return {
    insert,
    /** Rolls back its transaction when the lease was lost, and locks the job until the transaction ends. */
    held: (job: JobOf, { token }: Pick<Lease, 'token'>) => expectRows(1, 'the lease is held', held({ ...job, token })),
    makeUrgent,
    remove,
    end,
    /** Gives the job back, due in so many milliseconds. */
    postpone: (job: Held & { readonly afterMs: number }) => release({ ...job, skipAttempt: false }),
  };
}

const isJob = (slot: Slots<JobOf>) => sql<boolean>`${matchesKey(slot)} and kind = ${slot('kind')} and status = 'open'`;
const isHeld = (slot: Slots<Held>) => sql<boolean>`${isJob(slot)} and lease_token = ${slot('token')}`;

function jobQueries(db: QueryBuilder) {
  const clock = databaseClock(db);
  const ofKinds = (slot: Slots<Due>, example: Due) => db.selectFrom('jobs as due').where(isOfKind(slot, example));
  /** Jobs that are due, those that have been due longest first. */
  const dueJobs = (slot: Slots<Due>, example: Due) =>
    ofKinds(slot, example)
      .where('due.due_at_ms', '>=', lowerBound(example.due))
      .where('due.due_at_ms', '<=', upperBound(slot, example.due))
      .orderBy('due.due_at_ms')
      .orderBy('due.seq');
  /**
   * The same of one project. The order begins with the project, because only one index has it: by its statistics, PostgreSQL would otherwise
   * read the jobs of all projects until it finds one of this project.
   */
  const dueInProject = (slot: Slots<Due>, example: Due) => {
    const project = slot((v) => v.project ?? toStored(''));
    return ofKinds(slot, example)
      .where(sql<boolean>`(due.project_id, due.due_at_ms) >= (${project}, ${lowerBound(example.due)})`)
      .where(sql<boolean>`(due.project_id, due.due_at_ms) <= (${project}, ${upperBound(slot, example.due)})`)
      .orderBy('due.project_id')
      .orderBy('due.due_at_ms')
      .orderBy('due.seq');
  };
  const due = (slot: Slots<Due>, example: Due) => {
    if (example.project !== undefined) return dueInProject(slot, example).select('due.seq').limit(1);
    const query = dueJobs(slot, example).select('due.seq').limit(1);
    return example.except.length === 0 ? query : query.where('due.project_id', 'not in', exceptOf(slot, example));
  };
  const exceptOf = (slot: Slots<Due>, example: Due) => slotList(slot, example, 'except');
  const lowerBound = (filter: DueJobs): number => (typeof filter === 'object' ? resumedDue + 1 : urgentDue);
  function upperBound(slot: Slots<Due>, filter: DueJobs) {
    if (filter === 'any') return clock;
    if (filter === 'urgent') return sql<number>`${urgentDue}`;
    return sql<number>`${clock} - ${slot(({ due }) => (typeof due === 'object' ? due.minWaitingMs : 0))}`;
  }
  function isOfKind(slot: Slots<Due>, example: Due) {
    const values = slotList(slot, example, 'kinds');
    if (values.length === 1) return sql<boolean>`due.kind = ${values[0]}`;
    // An expression: the index of jobs by kind would return the due jobs of several kinds out of order, and all of them would be sorted.
    return sql<boolean>`coalesce(due.kind, '') in (${sql.join(values)})`;
  }
  const shapeOf = ({ kinds, due, except, project }: Due): string =>
    `${kinds.length} ${typeof due === 'object' ? 'minWaitingMs' : due} ${except.length} ${project !== undefined}`;
  const leaseEnd = (slot: Slots<{ readonly leaseMs: number }>) => sql<number>`${clock} + ${slot('leaseMs')}`;
  const update = (slot: Slots<Held>) => db.updateTable('jobs').where(isHeld(slot)).returning('seq');

  return {
    waiting: statement(due, shapeOf),

    /** The first project of the jobs that have been due longest, and how many of these were read. */
    head: statement(
      (slot: Slots<Due>, example: Due) =>
        db
          .with('head', () =>
            dueJobs(slot, example).select(['due.project_id', 'due.due_at_ms', 'due.seq']).limit(headLength),
          )
          .selectNoFrom(({ selectFrom }) => [
            selectFrom('head')
              .select('head.project_id')
              .where('head.project_id', 'not in', exceptOf(slot, example))
              .orderBy('head.due_at_ms')
              .orderBy('head.seq')
              .limit(1)
              .as('project_id'),
            selectFrom('head')
              .select(sql<number>`count(*)`.as('length'))
              .as('length'),
          ]),
      shapeOf,
    ),

    /** Steps in the index from the oldest job of each project to that of the next one, and compares them. */
    nextProject: statement((slot: Slots<Due>, example: Due) => {
      const kind = slot((v) => v.kinds[0] ?? 'batch');
      return db
        .withRecursive('oldest(project_id, due_at_ms)', (cte) =>
          cte
            .selectFrom(({ selectFrom }) =>
              selectFrom('jobs')
                .select(['jobs.project_id', 'jobs.due_at_ms'])
                .where('jobs.kind', '=', kind)
                .orderBy('jobs.project_id')
                .orderBy('jobs.due_at_ms')
                .orderBy('jobs.seq')
                .limit(1)
                .as('first'),
            )
            .select(['first.project_id', 'first.due_at_ms'])
            .unionAll(
              cte
                .selectFrom('oldest')
                .innerJoin('jobs as next', (join) =>
                  join.on('next.seq', '=', ({ selectFrom }) =>
                    selectFrom('jobs as following')
                      .select('following.seq')
                      .where('following.kind', '=', kind)
                      .whereRef('following.project_id', '>', 'oldest.project_id')
                      .orderBy('following.project_id')
                      .orderBy('following.due_at_ms')
                      .orderBy('following.seq')
                      .limit(1),
                  ),
                )
                .select(['next.project_id', 'next.due_at_ms']),
            ),
        )
        .selectFrom('oldest')
        .select('oldest.project_id')
        .where('oldest.due_at_ms', '<=', clock)
        .where('oldest.project_id', 'not in', exceptOf(slot, example))
        .orderBy('oldest.due_at_ms')
        .orderBy('oldest.project_id')
        .limit(1);
    }, shapeOf),

    claim: statement(
      (slot: Slots<Due & Claimed>, example) =>
        db
          .updateTable('jobs')
          .set((eb) => ({
            due_at_ms: leaseEnd(slot),
            lease_token: slot('token'),
            attempts: eb('attempts', '+', 1),
            // A worker that shuts down releases its jobs. A job that is still held at its due time was held by a crashed worker.
            crashes: sql<number>`crashes + case when lease_token is null then 0 else ${slot('crash')} end`,
          }))
          // Skips jobs that other servers are claiming.
          .where('seq', '=', due(slot, example).forUpdate().skipLocked())
          .returning(['id', 'kind', 'project_id', 'attempts', 'crashes', 'notes']),
      shapeOf,
    ),

    // Scans all jobs: an index of tokens would be written with each claim, and this statement is rare.
    cancelClaim: statement((slot: Slots<{ readonly token: string }>) =>
      db
        .updateTable('jobs')
        .set((eb) => ({ due_at_ms: resumedDue, lease_token: null, attempts: eb('attempts', '-', 1) }))
        .where('lease_token', '=', slot('token'))
        .returning('seq'),
    ),

    renew: statement((slot: Slots<Held & { readonly leaseMs: number }>) =>
      update(slot).set({ due_at_ms: leaseEnd(slot) }),
    ),

    backlog: statement(() =>
      db
        .selectFrom('jobs')
        .select([
          'kind',
          sql<number>`sum(case when lease_token is null and due_at_ms <= ${clock} then 1 else 0 end)`.as('waiting'),
          sql<number>`sum(case when lease_token is null then 0 else 1 end)`.as('running'),
          // Jobs that were begun or are urgent have no time in `due_at_ms`.
          sql<
            number | null
          >`min(case when lease_token is null and due_at_ms > ${resumedDue} then created_at_ms end)`.as('oldest'),
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
        slot: Slots<Held & { readonly afterMs: number | undefined; readonly skipAttempt: boolean }>,
        { afterMs, skipAttempt },
      ) => {
        const released = update(slot).set({
          due_at_ms: afterMs === undefined ? resumedDue : sql<number>`${clock} + ${slot((v) => v.afterMs ?? 0)}`,
          lease_token: null,
        });
        return skipAttempt ? released.set((eb) => ({ attempts: eb('attempts', '-', 1) })) : released;
      },
      ({ afterMs, skipAttempt }) => `${afterMs === undefined ? 'resumed' : 'later'} ${skipAttempt}`,
    ),

    /** Creates a job that has been due for some time. */
    insert: statement((slot: Slots<JobOf & { readonly dueForMs: number }>) =>
      db.insertInto('jobs').values({
        id: slot('id'),
        kind: slot('kind'),
        project_id: slot('project_id'),
        due_at_ms: sql<number>`${clock} - ${slot('dueForMs')}`,
        created_at_ms: clock,
      }),
    ),

    held: statement((slot: Slots<Held>) => db.selectFrom('jobs').select('seq').where(isHeld(slot)).forUpdate()),

    /** Makes the job due before all others, unless a worker holds it. */
    makeUrgent: statement((slot: Slots<JobOf>) =>
      db.updateTable('jobs').set({ due_at_ms: urgentDue }).where(isJob(slot)).where('lease_token', 'is', null),
    ),

    remove: statement((slot: Slots<JobOf>) => db.deleteFrom('jobs').where(isJob(slot))),

    /** Ends a batch's job whose results are still to be removed. */
    end: statement((slot: Slots<JobOf>) =>
      db.updateTable('jobs').set({ status: 'ended', due_at_ms: neverDue, lease_token: null }).where(isJob(slot)),
    ),
  };
}
