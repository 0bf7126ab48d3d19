import { sql } from 'kysely';
import type { ItemRow } from '../responses/item-rows.ts';
import type { ItemPageValues } from '../query/pages.ts';
import { asBigint, asText } from '../query/casts.ts';
import { databaseClock } from '../query/query-builder.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { matchesKey } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';
import { deleteRecord, insertRow } from '../query/rows.ts';
import { statement } from '../query/statement.ts';
import type { Slots } from '../query/statement.ts';
import { toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';

interface NewItems extends RecordKey {
  /** How many items are appended in the transaction. */
  readonly count: number;
  /** `position` counts from 0 over all items of the transaction. */
  readonly items: readonly ItemRow[];
}

interface ItemKey extends RecordKey {
  readonly item: StoredText;
}

interface TombstoneValues extends ItemKey {
  readonly tombstone: StoredText;
}

export function conversationQueries(db: QueryBuilder) {
  const seqOf = (slot: Slots<RecordKey>) => db.selectFrom('conversations').select('seq').where(matchesKey(slot));
  const itemsOf = (slot: Slots<RecordKey>) =>
    db.selectFrom('conversation_items').where('conversation_seq', '=', seqOf(slot));

  /** The row that one item adds. No row when the conversation does not exist. */
  const newItem = (slot: Slots<NewItems>, index: number) => {
    const position = asBigint(slot((v) => (v.items[index]?.position ?? 0) - v.count));
    return db
      .selectFrom('conversations')
      .select([
        'conversations.seq as conversation_seq',
        'conversations.project_id',
        sql<number>`conversations.next_position + ${position}`.as('position'),
        asText(slot((v) => v.items[index]?.id ?? toStored(''))).as('id'),
        asText(slot((v) => v.items[index]?.body ?? '')).as('body'),
      ])
      .where(matchesKey(slot));
  };
  const insertItems = (slot: Slots<NewItems>, { items }: NewItems) => {
    const [first, ...others] = items.map((_, index) => newItem(slot, index));
    if (!first) throw new TypeError('There are no items to insert.');
    return db
      .insertInto('conversation_items')
      .columns(['conversation_seq', 'project_id', 'position', 'id', 'body'])
      .expression(others.reduce((all, one) => all.unionAll(one), first));
  };
  const countOf = ({ items }: NewItems): string => String(items.length);

  return {
    insert: insertRow(db, 'conversations'),

    /** Reserves the positions of new items. Locks the conversation, so that concurrent appends do not interleave. */
    reservePositions: statement((slot: Slots<RecordKey & { readonly count: number }>) =>
      db
        .updateTable('conversations')
        .set((eb) => ({ next_position: eb('next_position', '+', slot('count')) }))
        .where(matchesKey(slot))
        .returning('seq'),
    ),

    insertItems: statement(
      (slot: Slots<NewItems>, example) => insertItems(slot, example).returning('position'),
      countOf,
    ),

    /** An item whose ID the conversation already has is not added again. */
    insertNewItems: statement(
      (slot: Slots<NewItems>, example) => insertItems(slot, example).onConflict((conflict) => conflict.doNothing()),
      countOf,
    ),

    get: statement((slot: Slots<RecordKey>) =>
      db.selectFrom('conversations').select(['id', 'created_at', 'metadata']).where(matchesKey(slot)),
    ),

    setMetadata: statement((slot: Slots<RecordKey & { readonly metadata: string }>) =>
      db
        .updateTable('conversations')
        .set({ metadata: slot('metadata') })
        .where(matchesKey(slot))
        .returning(['id', 'created_at', 'metadata']),
    ),

    delete: deleteRecord(db, 'conversations'),

    /** Of a deleted item as long as its tombstone is kept. */
    itemPosition: statement((slot: Slots<TombstoneValues>) =>
      itemsOf(slot)
        .select('position')
        .where('id', '=', slot('item'))
        .unionAll(
          db
            .selectFrom('tombstones')
            .select('seq as position')
            .where('list', '=', 'conversation_items')
            .where('id', '=', slot('tombstone'))
            .where('project_id', '=', slot('project_id')),
        ),
    ),

    items: statement(
      (slot: Slots<ItemPageValues>, { order }) =>
        itemsOf(slot)
          .select('body')
          .where('position', order === 'asc' ? '>' : '<', slot('after'))
          .orderBy('position', order)
          .limit(slot('limit')),
      ({ order }) => order,
    ),

    length: statement((slot: Slots<RecordKey>) =>
      itemsOf(slot).select(sql<number | null>`sum(length(body))`.as('length')),
    ),

    item: statement((slot: Slots<ItemKey>) => itemsOf(slot).select('body').where('id', '=', slot('item'))),

    insertTombstone: statement((slot: Slots<TombstoneValues>) =>
      db
        .insertInto('tombstones')
        .columns(['list', 'id', 'project_id', 'created_at', 'seq', 'deleted_at'])
        .expression(
          itemsOf(slot)
            .select([
              sql<'conversation_items'>`'conversation_items'`.as('list'),
              asText(slot('tombstone')).as('id'),
              'project_id',
              sql<number>`0`.as('created_at'),
              'position as seq',
              sql<number>`${databaseClock(db)} / 1000`.as('deleted_at'),
            ])
            .where('id', '=', slot('item')),
        )
        .onConflict((conflict) =>
          conflict.columns(['list', 'id']).doUpdateSet((eb) => ({
            seq: eb.ref('excluded.seq'),
            deleted_at: eb.ref('excluded.deleted_at'),
          })),
        ),
    ),

    deleteItem: statement((slot: Slots<ItemKey>) =>
      db
        .deleteFrom('conversation_items')
        .where('conversation_seq', '=', seqOf(slot))
        .where('id', '=', slot('item'))
        .returning('position'),
    ),
  };
}
