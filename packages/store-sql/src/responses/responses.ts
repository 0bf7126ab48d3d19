import type { ResponseOutputItem } from '@modelwire/schema/types';
import type { ResponseRecord, ResponseStore, StoredItem, StoredRequest, StoredResponse } from '@modelwire/ports';
import { appendToConversation } from '../conversations/conversations.ts';
import { appendTo as appendSegment } from '../event-streams/event-streams.ts';
import { inGroups } from '../query/groups.ts';
import { bytesOf, itemOf, itemRows, lengthOf } from './item-rows.ts';
import type { ItemRow } from './item-rows.ts';
import { allItems, readItems } from '../query/pages.ts';
import { keysIn } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';
import { responseQueries } from './response-queries.ts';
import type { PerProject, StoreContext } from '../store-context.ts';
import type { Statement } from '../query/statement.ts';
import { fromStored, toStored } from '../query/text.ts';
import { commit, expectRows, markAsFreeingSpace, transaction } from '../database/transaction.ts';
import { serialize } from '../query/serialized-json.ts';

const isRunning = 'the response is queued or in progress';
/** SQLite combines at most 500 queries in one; each ID takes two. */
const maxIdsPerQuery = 128;
const isThere = 'the response exists';

/** Creates the stores of responses, one per project. */
export function responseStores({
  database,
  db,
  jobs,
  eventStreams,
  publishEnd,
  withinLimit,
}: StoreContext): PerProject<ResponseStore> {
  const queries = responseQueries(db);
  const append = appendToConversation(db);

  const insertItems = (key: RecordKey, output: 0 | 1, items: readonly ItemRow[]): Statement<unknown>[] =>
    inGroups(items).map((group) =>
      queries.insertItems({
        ...key,
        rows: group.map((row) => ({ ...row, is_output: output, project_id: key.project_id })),
      }),
    );

  return (name) => {
    const project_id = toStored(name);
    const keyOf = keysIn(name);
    const jobOf = (key: RecordKey) => ({ ...key, kind: 'response' }) as const;
    const appendTo = (conversation: string | undefined, rows: readonly ItemRow[]) =>
      conversation === undefined ? [] : append.ignoringDuplicates(keyOf(conversation), rows);

    return {
      async create({ response, isStreamed, work, input, segment, conversation }, limit) {
        const key = keyOf(response.id);
        const inputRows = await itemRows(input);
        const outputRows = await itemRows(response.output);
        const { columns, bytes } = await mutableColumns(response);
        const jobInput = work && (await serialize(work)).text;
        const unit = [
          ...(work ? [jobs.insert({ ...jobOf(key), dueForMs: 0 })] : []),
          queries.insert({
            ...key,
            ...columns,
            created_at: response.created_at,
            previous_response_id:
              typeof response.previous_response_id === 'string' ? toStored(response.previous_response_id) : null,
            items_length: lengthOf(inputRows) + lengthOf(outputRows),
            is_streamed: Number(isStreamed),
            job_input: jobInput ?? null,
            bytes: bytes + bytesOf(inputRows) + bytesOf(outputRows),
          }),
          queries.touchThread(key),
          ...insertItems(key, 0, inputRows),
          ...insertItems(key, 1, outputRows),
          ...(isStreamed ? [eventStreams.insertOfResponse(key)] : []),
          ...appendSegment(eventStreams, key, segment),
          ...appendTo(conversation, [...inputRows, ...outputRows]),
        ];
        await transaction(database, withinLimit(project_id, limit, unit));
      },

      async get(id) {
        return recordOf(await database.read(queries.get(keyOf(id))));
      },

      async inputItems(id, query) {
        const key = keyOf(id);
        return readItems(database, query, {
          position: (item) => queries.inputPosition({ ...key, item: toStored(item) }),
          page: (values) => queries.inputItems({ ...key, ...values }),
          record: queries.exists(key),
          itemOf,
        });
      },

      async chain(id, { maxResponses, maxLength }) {
        const key = keyOf(id);
        const links = await database.scan(queries.chain({ ...key, maxResponses }));
        const [newest] = links;
        const oldest = links.at(-1);
        if (!newest || !oldest) return { failure: 'not_found', id };
        if (links.length > maxResponses || oldest.total > maxLength) return { failure: 'too_long' };
        if (oldest.previous_response_id !== null)
          return { failure: 'not_found', id: fromStored(oldest.previous_response_id) };
        const rows = await database.scan(queries.chainItems({ ...key, maxResponses }));
        // A response of the chain was deleted between the two queries.
        if (new Set(rows.map(({ depth }) => depth)).size < links.length) return { failure: 'not_found', id };
        return { status: newest.status, items: rows.flatMap(({ body }) => (body === null ? [] : [itemOf({ body })])) };
      },

      async findItems(ids) {
        const found = new Map<string, StoredItem>();
        for (const group of inGroups([...new Set(ids)].map(toStored), maxIdsPerQuery)) {
          for (const row of await database.scan(queries.findItems({ project_id, ids: group }))) {
            const item = itemOf(row);
            if (!found.has(item.id)) found.set(item.id, item);
          }
        }
        return [...found.values()];
      },

      async update(response, { lease, segment }) {
        const key = keyOf(response.id);
        const { columns } = await mutableColumns(response);
        return commit(database, [
          jobs.held(jobOf(key), lease),
          expectRows(1, isRunning, queries.update({ ...key, ...columns, items_length: 0, itemBytes: 0 })),
          ...appendSegment(eventStreams, key, segment),
        ]);
      },

      async end(response, { lease, segment, conversation }) {
        const key = keyOf(response.id);
        const output = await itemRows(response.output);
        const { columns } = await mutableColumns(response);
        const input =
          conversation === undefined
            ? []
            : (await database.scan(queries.inputItems({ ...key, ...allItems }))).map(itemOf);
        const added = { items_length: lengthOf(output), itemBytes: bytesOf(output) };
        return commit(database, [
          jobs.held(jobOf(key), lease),
          expectRows(1, isRunning, queries.end({ ...key, ...columns, ...added })),
          ...insertItems(key, 1, output),
          ...appendSegment(eventStreams, key, segment),
          eventStreams.endOfResponse(key),
          ...appendTo(conversation, [...(await itemRows(input)), ...output]),
          jobs.remove(jobOf(key)),
          ...publishEnd('response', response, name),
        ]);
      },

      async cancel(id) {
        const key = keyOf(id);
        return commit(database, [
          jobs.remove(jobOf(key)),
          expectRows(1, isRunning, queries.cancel(key)),
          eventStreams.endOfResponse(key),
          ...publishEnd('response', { id, status: 'cancelled' }, name),
        ]);
      },

      async delete(id) {
        const key = keyOf(id);
        return commit(database, [
          jobs.remove(jobOf(key)),
          markAsFreeingSpace(expectRows(1, isThere, queries.delete(key))),
        ]);
      },
    };
  };
}

/** The columns that `update` writes. The output is stored as items. */
async function mutableColumns(response: StoredResponse) {
  const { text, bytes } = await serialize({ ...response, output: [] });
  return { columns: { status: response.status, body: text }, bytes };
}

type Row = NonNullable<ReturnType<ReturnType<typeof responseQueries>['get']>['row']>;

/** Makes a record of its rows: one for each output item, or one without an item. */
function recordOf(rows: readonly Row[]): ResponseRecord | undefined {
  const [row] = rows;
  if (!row) return undefined;
  // What `itemRows` wrote.
  const output = rows.flatMap(({ item }) => (item === null ? [] : [JSON.parse(item) as ResponseOutputItem]));
  return {
    // What `create` and `end` wrote.
    response: { ...(JSON.parse(row.body) as StoredResponse), status: row.status, output },
    isStreamed: row.is_streamed === 1,
    work: row.job_input === null ? undefined : (JSON.parse(row.job_input) as StoredRequest),
  };
}
