import { sql } from 'kysely';
import type { Insertable } from 'kysely';
import type { StoredResponseStatus } from '@modelwire/ports';
import { asBigint, asText } from '../query/casts.ts';
import type { ItemPageValues } from '../query/pages.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { matchesKey } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';
import { deleteRecord } from '../query/rows.ts';
import type { Tables } from '../schema/tables.ts';
import { slotList, slotRows, slotsOf, statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';
import type { StoredText } from '../query/text.ts';

interface NewState extends RecordKey {
  readonly status: StoredResponseStatus;
  readonly body: string;
  /** Of the items that are added. */
  readonly items_length: number;
  readonly itemBytes: number;
}

type NewResponse = RecordKey &
  Omit<Insertable<Tables['responses']>, 'thread_id'> & { readonly previous_response_id: StoredText | null };

/** Items of a response, without the column that refers to it. */
interface NewItems extends RecordKey {
  readonly rows: readonly Omit<Tables['response_items'], 'response_seq'>[];
}

const isRunning = sql<boolean>`status in ('queued', 'in_progress')`;

export function responseQueries(db: QueryBuilder) {
  const seqOf = (slot: Slots<RecordKey>) => db.selectFrom('responses').select('seq').where(matchesKey(slot));

  const inputOf = (slot: Slots<RecordKey>) =>
    db.selectFrom('response_items').where('response_seq', '=', seqOf(slot)).where('is_output', '=', 0);

  const updateRunning = (slot: Slots<RecordKey>) =>
    db.updateTable('responses').where(matchesKey(slot)).where(isRunning).returning('seq');
  const write = (slot: Slots<NewState>) => {
    return updateRunning(slot).set((eb) => ({
      status: slot('status'),
      body: slot('body'),
      items_length: eb('items_length', '+', slot('items_length')),
      bytes: sql<number>`bytes - octet_length(body) + octet_length(${asText(slot('body'))}) + ${asBigint(slot('itemBytes'))}`,
    }));
  };

  /** The response and those before it, newest first; `total` is the length of all items so far. */
  const chain = (slot: Slots<RecordKey & { readonly maxResponses: number }>) =>
    db.withRecursive('chain(seq, id, previous_response_id, status, depth, total)', (cte) =>
      cte
        .selectFrom('responses')
        .select(['seq', 'id', 'previous_response_id', 'status'])
        .select([sql<number>`cast(0 as bigint)`.as('depth'), 'items_length as total'])
        .where(matchesKey(slot))
        .unionAll(
          cte
            .selectFrom('chain')
            .innerJoin('responses', 'responses.id', 'chain.previous_response_id')
            .select(['responses.seq', 'responses.id', 'responses.previous_response_id', 'responses.status'])
            .select([
              sql<number>`chain.depth + 1`.as('depth'),
              sql<number>`chain.total + responses.items_length`.as('total'),
            ])
            .where('responses.project_id', '=', slot('project_id'))
            .where('chain.depth', '<', slot('maxResponses')),
        ),
    );

  return {
    /** A response belongs to the thread of the one before it, or begins a thread with its own ID. */
    insert: statement((slot: Slots<NewResponse>, example) =>
      db.insertInto('responses').values((eb) => ({
        ...slotsOf(slot, example, (values) => values),
        thread_id: eb.fn.coalesce(
          eb
            .selectFrom('responses as before')
            .select('before.thread_id')
            .where('before.id', '=', slot('previous_response_id'))
            .where('before.project_id', '=', slot('project_id')),
          sql<StoredText>`${slot('id')}`,
        ),
      })),
    ),

    /** A thread expires by its newest response. */
    touchThread: statement((slot: Slots<RecordKey>) =>
      db
        .insertInto('response_threads')
        .columns(['id', 'newest_created_at'])
        .expression((eb) => eb.selectFrom('responses').select(['thread_id', 'created_at']).where(matchesKey(slot)))
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet((eb) => ({ newest_created_at: eb.ref('excluded.newest_created_at') }))
            .whereRef('excluded.newest_created_at', '>', 'response_threads.newest_created_at'),
        ),
    ),

    insertItems: statement(
      (slot: Slots<NewItems>, { rows }) =>
        db
          .insertInto('response_items')
          .values(slotRows(slot, rows, (v) => v.rows).map((row) => ({ response_seq: seqOf(slot), ...row }))),
      ({ rows }) => String(rows.length),
    ),

    /** Returns one row for each output item, or one without. A single statement: between two the response might be deleted. */
    get: statement((slot: Slots<RecordKey>) =>
      db
        .selectFrom('responses')
        .leftJoin('response_items', (join) =>
          join.onRef('response_items.response_seq', '=', 'responses.seq').on('response_items.is_output', '=', 1),
        )
        .select(['responses.status', 'responses.is_streamed', 'responses.job_input', 'responses.body'])
        .select('response_items.body as item')
        .where('responses.id', '=', slot('id'))
        .where('responses.project_id', '=', slot('project_id'))
        .orderBy('response_items.position'),
    ),

    exists: statement(seqOf),

    inputPosition: statement((slot: Slots<RecordKey & { readonly item: StoredText }>) =>
      inputOf(slot).select('position').where('id', '=', slot('item')).orderBy('position').limit(1),
    ),

    inputItems: statement(
      (slot: Slots<ItemPageValues>, { order }) =>
        inputOf(slot)
          .select('body')
          .where('position', order === 'asc' ? '>' : '<', slot('after'))
          .orderBy('position', order)
          .limit(slot('limit')),
      ({ order }) => order,
    ),

    chain: statement((slot: Slots<RecordKey & { readonly maxResponses: number }>) =>
      chain(slot).selectFrom('chain').select(['id', 'previous_response_id', 'status', 'total']).orderBy('depth'),
    ),

    /** Oldest first: of each response its input, then its output. A response without items has one row without an item. */
    chainItems: statement((slot: Slots<RecordKey & { readonly maxResponses: number }>) =>
      chain(slot)
        .selectFrom('chain')
        .leftJoin('response_items', 'response_items.response_seq', 'chain.seq')
        .select(['chain.depth', 'response_items.body'])
        .orderBy('chain.depth', 'desc')
        .orderBy('response_items.is_output')
        .orderBy('response_items.position'),
    ),

    /** For each ID the newest item of a response, and that of a conversation. */
    findItems: statement(
      (slot: Slots<{ readonly project_id: StoredText; readonly ids: readonly StoredText[] }>, example) => {
        const newest = (table: 'response_items' | 'conversation_items', id: StoredText) => {
          const items = db.selectFrom(table).select('body').where('project_id', '=', slot('project_id'));
          const order = table === 'response_items' ? 'response_seq' : 'conversation_seq';
          const first = items.where('id', '=', id).orderBy(order, 'desc').limit(1);
          return db.selectFrom(first.as('newest')).select('newest.body');
        };
        const [first, ...others] = slotList(slot, example, 'ids').flatMap((id) => [
          newest('response_items', id),
          newest('conversation_items', id),
        ]);
        if (!first) throw new TypeError('There are no IDs to look up.');
        return others.reduce((all, one) => all.unionAll(one), first);
      },
      ({ ids }) => String(ids.length),
    ),

    update: statement(write),

    end: statement((slot: Slots<NewState>) => write(slot).set({ job_input: null })),

    cancel: statement((slot: Slots<RecordKey>) => updateRunning(slot).set({ status: 'cancelled', job_input: null })),

    delete: deleteRecord(db, 'responses'),

    /** Responses of expired threads, those of the oldest thread first. */
    deleteExpired: statement((slot: Slots<{ readonly before: number; readonly limit: number }>) =>
      db
        .deleteFrom('responses')
        .where('seq', 'in', (eb) =>
          eb
            .selectFrom('response_threads')
            .innerJoin('responses as old', 'old.thread_id', 'response_threads.id')
            .select('old.seq')
            .where('response_threads.newest_created_at', '<', slot('before'))
            // A background response that is still queued or running does not expire.
            .where('old.job_input', 'is', null)
            .orderBy('response_threads.newest_created_at')
            .limit(slot('limit')),
        )
        .returning('seq'),
    ),

    deleteEmptyThreads: statement((slot: Slots<{ readonly before: number; readonly limit: number }>) =>
      db
        .deleteFrom('response_threads')
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('response_threads as old')
            .leftJoin('responses', 'responses.thread_id', 'old.id')
            .select('old.id')
            .where('old.newest_created_at', '<', slot('before'))
            .where('responses.seq', 'is', null)
            .orderBy('old.newest_created_at')
            .limit(slot('limit')),
        ),
    ),
  };
}
