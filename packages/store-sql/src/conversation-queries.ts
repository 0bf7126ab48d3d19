import { sql } from 'kysely';
import type { ItemRow } from './item-rows.ts';
import type { ItemPageValues } from './pages.ts';
import type { QueryBuilder } from './query-builder.ts';
import { matchesKey } from './record-key.ts';
import type { RecordKey } from './record-key.ts';
import { statement } from './statement.ts';
import type { Slots } from './statement.ts';
import type { StoredText } from './text.ts';

interface NewItems extends RecordKey {
  /** How many items are appended in the transaction. */
  readonly count: number;
  /** `place` counts from 0 over all items of the transaction. */
  readonly items: readonly ItemRow[];
}

interface ItemKey extends RecordKey {
  readonly item: StoredText;
}

export function conversationQueries(db: QueryBuilder) {
  const seqOf = (slot: Slots<RecordKey>) => db.selectFrom('conversations').select('seq').where(matchesKey(slot));

  /** The row that one item adds. No row when the conversation does not exist. */
  const newItem = (slot: Slots<NewItems>, index: number) => {
    const place = slot((v) => (v.items[index]?.place ?? 0) - v.count);
    return db
      .selectFrom('conversations')
      .select([
        'conversations.seq as conversation',
        'conversations.project',
        sql<number>`conversations.next + cast(${place} as bigint)`.as('place'),
        sql<StoredText>`cast(${slot((v) => v.items[index]?.id ?? '')} as text)`.as('id'),
        sql<string>`cast(${slot((v) => v.items[index]?.body ?? '')} as text)`.as('body'),
      ])
      .where(matchesKey(slot));
  };
  const insertItems = (slot: Slots<NewItems>, { items }: NewItems) => {
    const [first, ...others] = items.map((_, index) => newItem(slot, index));
    if (!first) throw new TypeError('There are no items to insert.');
    return db
      .insertInto('conversation_items')
      .columns(['conversation', 'project', 'place', 'id', 'body'])
      .expression(others.reduce((all, one) => all.unionAll(one), first));
  };
  const countOf = ({ items }: NewItems): string => String(items.length);

  return {
    insert: statement((slot: Slots<RecordKey & { readonly created: number; readonly metadata: string }>) =>
      db.insertInto('conversations').values({
        id: slot('id'),
        project: slot('project'),
        created: slot('created'),
        metadata: slot('metadata'),
        next: 0,
      }),
    ),

    /** Reserves the places of new items. Locks the conversation, so that concurrent appends do not interleave. */
    reservePlaces: statement((slot: Slots<RecordKey & { readonly count: number }>) =>
      db
        .updateTable('conversations')
        .set((eb) => ({
          next: eb('next', '+', slot('count')),
        }))
        .where(matchesKey(slot))
        .returning('seq'),
    ),

    insertItems: statement((slot: Slots<NewItems>, example) => insertItems(slot, example).returning('place'), countOf),

    /** An item whose ID the conversation already has is not added again. */
    insertNewItems: statement(
      (slot: Slots<NewItems>, example) => insertItems(slot, example).onConflict((conflict) => conflict.doNothing()),
      countOf,
    ),

    get: statement((slot: Slots<RecordKey>) =>
      db.selectFrom('conversations').select(['id', 'created', 'metadata']).where(matchesKey(slot)),
    ),

    setMetadata: statement((slot: Slots<RecordKey & { readonly metadata: string }>) =>
      db
        .updateTable('conversations')
        .set({ metadata: slot('metadata') })
        .where(matchesKey(slot))
        .returning(['id', 'created', 'metadata']),
    ),

    delete: statement((slot: Slots<RecordKey>) =>
      db.deleteFrom('conversations').where(matchesKey(slot)).returning('seq'),
    ),

    /** Of a deleted item as long as its tombstone is kept. */
    itemPlace: statement((slot: Slots<ItemKey & { readonly tombstone: StoredText }>) =>
      db
        .selectFrom('conversation_items')
        .select('place')
        .where('conversation', '=', seqOf(slot))
        .where('id', '=', slot('item'))
        .unionAll(
          db
            .selectFrom('tombstones')
            .select('seq as place')
            .where('list', '=', 'conversation_items')
            .where('id', '=', slot('tombstone'))
            .where('project', '=', slot('project')),
        ),
    ),

    items: statement(
      (slot: Slots<ItemPageValues>, { order }) =>
        db
          .selectFrom('conversation_items')
          .select('body')
          .where('conversation', '=', seqOf(slot))
          .where('place', order === 'asc' ? '>' : '<', slot('after'))
          .orderBy('place', order)
          .limit(slot('limit')),
      ({ order }) => order,
    ),

    length: statement((slot: Slots<RecordKey>) =>
      db
        .selectFrom('conversation_items')
        .select(sql<number | null>`sum(length(body))`.as('length'))
        .where('conversation', '=', seqOf(slot)),
    ),

    item: statement((slot: Slots<ItemKey>) =>
      db
        .selectFrom('conversation_items')
        .select('body')
        .where('conversation', '=', seqOf(slot))
        .where('id', '=', slot('item')),
    ),

    insertTombstone: statement((slot: Slots<ItemKey & { readonly tombstone: StoredText; readonly now: number }>) =>
      db
        .insertInto('tombstones')
        .columns(['list', 'id', 'project', 'created', 'seq', 'deleted'])
        .expression((eb) =>
          eb
            .selectFrom('conversation_items')
            .select([
              sql<'conversation_items'>`'conversation_items'`.as('list'),
              sql<StoredText>`cast(${slot('tombstone')} as text)`.as('id'),
              'project',
              sql<number>`0`.as('created'),
              'place as seq',
              sql<number>`cast(${slot('now')} as bigint)`.as('deleted'),
            ])
            .where('conversation', '=', seqOf(slot))
            .where('id', '=', slot('item')),
        )
        .onConflict((conflict) =>
          conflict.columns(['list', 'id']).doUpdateSet((eb) => ({
            seq: eb.ref('excluded.seq'),
            deleted: eb.ref('excluded.deleted'),
          })),
        ),
    ),

    deleteItem: statement((slot: Slots<ItemKey>) =>
      db
        .deleteFrom('conversation_items')
        .where('conversation', '=', seqOf(slot))
        .where('id', '=', slot('item'))
        .returning('place'),
    ),
  };
}
