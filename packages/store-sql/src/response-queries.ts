import { sql } from 'kysely';
import type { StoredResponseStatus } from '@modelwire/ports';
import type { ItemRow } from './item-rows.ts';
import type { ItemPageValues } from './pages.ts';
import type { QueryBuilder } from './query-builder.ts';
import { matchesKey } from './record-key.ts';
import type { RecordKey } from './record-key.ts';
import { statement } from './statement.ts';
import type { Slots } from './statement.ts';
import type { StoredText } from './text.ts';

interface MutableColumns {
  readonly status: StoredResponseStatus;
  readonly body: string;
}

interface NewResponse extends RecordKey, MutableColumns {
  readonly created: number;
  readonly previous: StoredText | null;
  readonly length: number;
  readonly streamed: number;
  readonly work: string | null;
  /** Of the body and the items. */
  readonly bytes: number;
}

interface ItemValues extends RecordKey {
  /** 0 or 1. */
  readonly output: number;
  readonly items: readonly ItemRow[];
}

interface EventValues extends RecordKey {
  readonly events: readonly { readonly sequence: number; readonly data: string }[];
}

const isRunning = sql<boolean>`status in ('queued', 'in_progress')`;

export function responseQueries(db: QueryBuilder) {
  const seqOf = (slot: Slots<RecordKey>) => db.selectFrom('responses').select('seq').where(matchesKey(slot));

  /** The response and those before it, newest first; `total` is the length of all items so far. */
  const chain = (slot: Slots<RecordKey & { readonly maxResponses: number }>) =>
    db.withRecursive('chain(seq, id, previous, status, depth, total)', (cte) =>
      cte
        .selectFrom('responses')
        .select(['seq', 'id', 'previous', 'status', sql<number>`cast(0 as bigint)`.as('depth'), 'length as total'])
        .where(matchesKey(slot))
        .unionAll(
          cte
            .selectFrom('chain')
            .innerJoin('responses', 'responses.id', 'chain.previous')
            .select([
              'responses.seq',
              'responses.id',
              'responses.previous',
              'responses.status',
              sql<number>`chain.depth + 1`.as('depth'),
              sql<number>`chain.total + responses.length`.as('total'),
            ])
            .where('responses.project', '=', slot('project'))
            .where('chain.depth', '<', slot('maxResponses')),
        ),
    );

  return {
    /** A response belongs to the thread of the one before it, or begins a thread with its own ID. */
    insert: statement((slot: Slots<NewResponse>) =>
      db.insertInto('responses').values((eb) => ({
        id: slot('id'),
        project: slot('project'),
        created: slot('created'),
        thread: eb.fn.coalesce(
          eb
            .selectFrom('responses as before')
            .select('before.thread')
            .where('before.id', '=', slot('previous'))
            .where('before.project', '=', slot('project')),
          sql<StoredText>`${slot('id')}`,
        ),
        previous: slot('previous'),
        status: slot('status'),
        length: slot('length'),
        streamed: slot('streamed'),
        work: slot('work'),
        body: slot('body'),
        bytes: slot('bytes'),
      })),
    ),

    /** A thread expires by its newest response. */
    touchThread: statement((slot: Slots<RecordKey>) =>
      db
        .insertInto('response_threads')
        .columns(['id', 'newest'])
        .expression((eb) => eb.selectFrom('responses').select(['thread', 'created']).where(matchesKey(slot)))
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet((eb) => ({ newest: eb.ref('excluded.newest') }))
            .whereRef('excluded.newest', '>', 'response_threads.newest'),
        ),
    ),

    insertItems: statement(
      (slot: Slots<ItemValues>, { items }) =>
        db.insertInto('response_items').values(
          items.map((_, index) => ({
            response: seqOf(slot),
            project: slot('project'),
            output: slot('output'),
            place: slot((v) => v.items[index]?.place ?? 0),
            id: slot((v) => v.items[index]?.id ?? ('' as StoredText)),
            body: slot((v) => v.items[index]?.body ?? ''),
          })),
        ),
      ({ items }) => String(items.length),
    ),

    insertEvents: statement(
      (slot: Slots<EventValues>, { events }) =>
        db.insertInto('response_events').values(
          events.map((_, index) => ({
            response: seqOf(slot),
            sequence: slot((v) => v.events[index]?.sequence ?? 0),
            data: slot((v) => v.events[index]?.data ?? ''),
          })),
        ),
      ({ events }) => String(events.length),
    ),

    /** Returns one row for each output item, or one without. A single statement: between two the response might be deleted. */
    get: statement((slot: Slots<RecordKey>) =>
      db
        .selectFrom('responses')
        .leftJoin('response_items', (join) =>
          join.onRef('response_items.response', '=', 'responses.seq').on('response_items.output', '=', 1),
        )
        .select([
          'responses.status',
          'responses.streamed',
          'responses.work',
          'responses.body',
          'response_items.body as item',
        ])
        .where('responses.id', '=', slot('id'))
        .where('responses.project', '=', slot('project'))
        .orderBy('response_items.place'),
    ),

    exists: statement((slot: Slots<RecordKey>) => seqOf(slot)),

    itemPlace: statement((slot: Slots<RecordKey & { readonly item: StoredText }>) =>
      db
        .selectFrom('response_items')
        .select('place')
        .where('response', '=', seqOf(slot))
        .where('output', '=', 0)
        .where('id', '=', slot('item'))
        .orderBy('place')
        .limit(1),
    ),

    inputItems: statement(
      (slot: Slots<ItemPageValues>, { order }) =>
        db
          .selectFrom('response_items')
          .select('body')
          .where('response', '=', seqOf(slot))
          .where('output', '=', 0)
          .where('place', order === 'asc' ? '>' : '<', slot('after'))
          .orderBy('place', order)
          .limit(slot('limit')),
      ({ order }) => order,
    ),

    chain: statement((slot: Slots<RecordKey & { readonly maxResponses: number }>) =>
      chain(slot).selectFrom('chain').select(['id', 'previous', 'status', 'total']).orderBy('depth'),
    ),

    /** Oldest first: of each response its input, then its output. A response without items has one row without an item. */
    chainItems: statement((slot: Slots<RecordKey & { readonly maxResponses: number }>) =>
      chain(slot)
        .selectFrom('chain')
        .leftJoin('response_items', 'response_items.response', 'chain.seq')
        .select(['chain.depth', 'response_items.body'])
        .orderBy('chain.depth', 'desc')
        .orderBy('response_items.output')
        .orderBy('response_items.place'),
    ),

    /** For each ID the newest item of a response, and that of a conversation. */
    findItems: statement(
      (slot: Slots<{ readonly project: StoredText; readonly ids: readonly StoredText[] }>, { ids }) => {
        const newest = ids.flatMap((_, index) =>
          (['response_items', 'conversation_items'] as const).map((table) =>
            db.selectFrom(newestItem(db, slot, table, index).as('newest')).select('newest.body'),
          ),
        );
        const [first, ...others] = newest;
        if (!first) throw new TypeError('There are no IDs to look up.');
        return others.reduce((all, one) => all.unionAll(one), first);
      },
      ({ ids }) => String(ids.length),
    ),

    update: statement((slot: Slots<RecordKey & MutableColumns>) =>
      db
        .updateTable('responses')
        .set({
          status: slot('status'),
          body: slot('body'),
          bytes: sql<number | null>`bytes - octet_length(body) + octet_length(cast(${slot('body')} as text))`,
        })
        .where(matchesKey(slot))
        .where(isRunning)
        .returning('seq'),
    ),

    end: statement(
      (slot: Slots<RecordKey & MutableColumns & { readonly length: number; readonly itemBytes: number }>) =>
        db
          .updateTable('responses')
          .set((eb) => ({
            status: slot('status'),
            body: slot('body'),
            length: eb('length', '+', slot('length')),
            bytes: sql<
              number | null
            >`bytes - octet_length(body) + octet_length(cast(${slot('body')} as text)) + cast(${slot('itemBytes')} as bigint)`,
            work: null,
          }))
          .where(matchesKey(slot))
          .where(isRunning)
          .returning('seq'),
    ),

    cancel: statement((slot: Slots<RecordKey>) =>
      db
        .updateTable('responses')
        .set({ status: 'cancelled', work: null })
        .where(matchesKey(slot))
        .where(isRunning)
        .returning('seq'),
    ),

    events: statement((slot: Slots<RecordKey & { readonly after: number; readonly limit: number }>) =>
      db
        .selectFrom('response_events')
        .select(['sequence', 'data'])
        .where('response', '=', seqOf(slot))
        .where('sequence', '>', slot('after'))
        .orderBy('sequence')
        .limit(slot('limit')),
    ),

    delete: statement((slot: Slots<RecordKey>) => db.deleteFrom('responses').where(matchesKey(slot)).returning('seq')),

    /** Responses of expired threads, those of the oldest thread first. */
    deleteExpired: statement((slot: Slots<{ readonly before: number; readonly limit: number }>) =>
      db
        .deleteFrom('responses')
        .where('seq', 'in', (eb) =>
          eb
            .selectFrom('response_threads')
            .innerJoin('responses as old', 'old.thread', 'response_threads.id')
            .select('old.seq')
            .where('response_threads.newest', '<', slot('before'))
            // A background response that is still queued or running does not expire.
            .where('old.work', 'is', null)
            .orderBy('response_threads.newest')
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
            .leftJoin('responses', 'responses.thread', 'old.id')
            .select('old.id')
            .where('old.newest', '<', slot('before'))
            .where('responses.seq', 'is', null)
            .orderBy('old.newest')
            .limit(slot('limit')),
        ),
    ),
  };
}

function newestItem(
  db: QueryBuilder,
  slot: Slots<{ readonly project: StoredText; readonly ids: readonly StoredText[] }>,
  table: 'response_items' | 'conversation_items',
  index: number,
) {
  const project = slot('project');
  const id = slot((v) => v.ids[index] ?? ('' as StoredText));
  return table === 'response_items'
    ? db
        .selectFrom('response_items')
        .select('body')
        .where('project', '=', project)
        .where('id', '=', id)
        .orderBy('response', 'desc')
        .limit(1)
    : db
        .selectFrom('conversation_items')
        .select('body')
        .where('project', '=', project)
        .where('id', '=', id)
        .orderBy('conversation', 'desc')
        .limit(1);
}
