import type { EventSegment, EventStreamStore, StoredRequest, StreamFailure } from '@modelwire/ports';
import { commit, expectRows, markAsFreeingSpace } from '../database/transaction.ts';
import { keysIn } from '../query/record-key.ts';
import type { RecordKey } from '../query/record-key.ts';
import type { Statement } from '../query/statement.ts';
import type { PerProject, StoreContext } from '../store-context.ts';
import type { eventStreamQueries } from './event-stream-queries.ts';
import { segmentRows, segmentOf } from './segments.ts';

const isHeld = 'the lease of the stream is held';

/** Creates the stores of streams of events, one per project. */
export function eventStreamStores({ database, eventStreams: queries }: StoreContext): PerProject<EventStreamStore> {
  const runUpdate = async (query: Statement<unknown>): Promise<boolean> =>
    (await database.write([query]))[0].length > 0;

  return (name) => {
    const keyOf = keysIn(name);
    return {
      async create(id, times) {
        await database.write([queries.insert({ ...keyOf(id), ...times })]);
      },
      renew: (id, times, writer = 'creator') => runUpdate(queries.renew({ ...keyOf(id), ...times, writer })),
      storeRequest: (id, request) =>
        runUpdate(queries.storeRequest({ ...keyOf(id), writer: 'creator', request: JSON.stringify(request) })),
      async takeOver(id, times) {
        const key = keyOf(id);
        const [[lost], taken] = await database.write([
          queries.requestOfLost(key),
          queries.takeOver({ ...key, ...times }),
        ]);
        // What `storeRequest` wrote.
        return taken.length > 0 && lost?.request ? (JSON.parse(lost.request) as StoredRequest) : undefined;
      },
      append(id, segment, writer = 'creator') {
        const key = keyOf(id);
        return commit(database, [
          expectRows(1, isHeld, queries.held({ ...key, writer })),
          ...appendTo(queries, key, segment),
        ]);
      },
      end(id, { segment, failure, keepMs, holdKeyMs = 0 }, writer = 'creator') {
        const key = keyOf(id);
        return commit(database, [
          expectRows(1, isHeld, queries.end({ ...key, writer, ...outcomeOf(failure), keepMs, holdKeyMs })),
          ...appendTo(queries, key, segment),
        ]);
      },
      endLost: (id, { failure, keepMs }) =>
        runUpdate(queries.endLost({ ...keyOf(id), ...outcomeOf(failure), keepMs, holdKeyMs: 0 })),
      async follow(id) {
        await database.write([queries.follow(keyOf(id))]);
      },
      async read(id, { after, limit }) {
        const rows = await database.scan(queries.read({ ...keyOf(id), after, limit }));
        const [row] = rows;
        if (!row) return undefined;
        const segments = rows.flatMap(({ last_event, data }) =>
          last_event === null || data === null ? [] : [segmentOf(last_event, data)],
        );
        return {
          status: row.status,
          isOfCompletion: row.response_seq === null,
          // What `outcomeOf` wrote.
          failure: row.failure === null ? undefined : (JSON.parse(row.failure) as StreamFailure),
          endedMsAgo: row.ended_ms_ago ?? undefined,
          followedMsAgo: row.followed_ms_ago ?? undefined,
          segments,
          hasMore: segments.length === limit,
        };
      },
      delete: (id) => runUpdate(markAsFreeingSpace(queries.delete(keyOf(id)))),
    };
  };
}

/** The statements that append events, if there are any, for the transactions of other stores. */
export function appendTo(
  queries: ReturnType<typeof eventStreamQueries>,
  key: RecordKey,
  segment: EventSegment | undefined,
): readonly Statement<unknown>[] {
  return segment ? segmentRows(segment).map((row) => queries.appendSegment({ ...key, ...row })) : [];
}

function outcomeOf(failure: StreamFailure | undefined) {
  return failure
    ? ({ status: 'failed', failure: JSON.stringify(failure) } as const)
    : ({ status: 'ended', failure: null } as const);
}
