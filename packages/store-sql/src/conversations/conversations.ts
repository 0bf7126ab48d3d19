import type { Metadata } from '@modelwire/schema/types';
import type { ConversationStore, StoredConversation } from '@modelwire/ports';
import type { Selectable } from 'kysely';
import { conversationQueries } from './conversation-queries.ts';
import type { SqlDatabase } from '../database/database.ts';
import { StoreError } from '../database/errors.ts';
import { inGroups } from '../query/groups.ts';
import { itemOf, itemRows } from '../responses/item-rows.ts';
import type { ItemRow } from '../responses/item-rows.ts';
import { allItems, readItems } from '../query/pages.ts';
import type { QueryBuilder } from '../query/query-builder.ts';
import { keysIn } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';
import type { Tables } from '../schema/tables.ts';
import type { Statement } from '../query/statement.ts';
import { fromStored, toStored } from '../query/text.ts';
import type { StoredText } from '../query/text.ts';
import { commit, expectRows, markAsFreeingSpace } from '../database/transaction.ts';

const isThere = 'the conversation exists';
const itemIsThere = 'the item exists';

/** Creates the stores of conversations, one per project. */
export function conversationStores(database: SqlDatabase, db: QueryBuilder): (project: string) => ConversationStore {
  const queries = conversationQueries(db);
  const append = appendToConversation(db);

  return (name) => {
    const keyOf = keysIn(name);

    return {
      async create({ id, created_at, metadata }, items) {
        const key = keyOf(id);
        await database.write([
          queries.insert({ ...key, created_at, metadata: JSON.stringify(metadata) }),
          ...append.refusingDuplicates(key, await itemRows(items)),
        ]);
      },

      async get(id) {
        const [row] = await database.read(queries.get(keyOf(id)));
        return row && conversationOf(row);
      },

      async setMetadata(id, metadata) {
        const [[row]] = await database.write([
          queries.setMetadata({ ...keyOf(id), metadata: JSON.stringify(metadata) }),
        ]);
        return row && conversationOf(row);
      },

      async delete(id) {
        const [deleted] = await database.write([markAsFreeingSpace(queries.delete(keyOf(id)))]);
        return deleted.length > 0;
      },

      async addItems(id, items) {
        const key = keyOf(id);
        try {
          const done = await commit(database, append.refusingDuplicates(key, await itemRows(items)));
          return done ? 'added' : 'conversation_not_found';
        } catch (error) {
          if (error instanceof StoreError && error.conflict) return 'duplicate_item';
          throw error;
        }
      },

      async items(id, query) {
        const key = keyOf(id);
        return readItems(database, query, {
          position: (item) => queries.itemPosition({ ...key, item: toStored(item), tombstone: tombstoneOf(id, item) }),
          page: (values) => queries.items({ ...key, ...values }),
          record: queries.get(key),
          itemOf,
        });
      },

      async item(id, itemId) {
        const [row] = await database.read(queries.item({ ...keyOf(id), item: toStored(itemId) }));
        return row && itemOf(row);
      },

      async deleteItem(id, itemId) {
        const item = { ...keyOf(id), item: toStored(itemId) };
        return commit(database, [
          queries.insertTombstone({ ...item, tombstone: tombstoneOf(id, itemId) }),
          markAsFreeingSpace(expectRows(1, itemIsThere, queries.deleteItem(item))),
        ]);
      },

      async history(id, { maxLength }) {
        const key = keyOf(id);
        if ((await database.read(queries.get(key))).length === 0) return undefined;
        const [row] = await database.scan(queries.length(key));
        if ((row?.length ?? 0) > maxLength) return 'too_long';
        return (await database.scan(queries.items({ ...key, ...allItems }))).map(itemOf);
      },
    };
  };
}

/** Statements that append items to a conversation. */
export function appendToConversation(db: QueryBuilder) {
  const { reservePositions, insertItems, insertNewItems } = conversationQueries(db);
  const groupsOf = (rows: readonly ItemRow[]) => inGroups(rows.map((row, position) => ({ ...row, position })));
  return {
    /** Fails with a conflict when the conversation has an item of the same ID, and rolls back when the conversation does not exist. */
    refusingDuplicates: (key: RecordKey, rows: readonly ItemRow[]): readonly Statement<unknown>[] => [
      expectRows(1, isThere, reservePositions({ ...key, count: rows.length })),
      ...groupsOf(rows).map((items) => insertItems({ ...key, count: rows.length, items })),
    ],
    /** Adds the items that the conversation does not have, and nothing when the conversation does not exist. */
    ignoringDuplicates: (key: RecordKey, rows: readonly ItemRow[]): readonly Statement<unknown>[] => [
      reservePositions({ ...key, count: rows.length }),
      ...groupsOf(rows).map((items) => insertNewItems({ ...key, count: rows.length, items })),
    ],
  };
}

function tombstoneOf(id: string, item: string): StoredText {
  return toStored(`${id}/${item}`);
}

function conversationOf(
  row: Pick<Selectable<Tables['conversations']>, 'id' | 'created_at' | 'metadata'>,
): StoredConversation {
  // What `create` and `setMetadata` wrote.
  const metadata = JSON.parse(row.metadata) as Metadata;
  return { id: fromStored(row.id), object: 'conversation', created_at: row.created_at, metadata };
}
