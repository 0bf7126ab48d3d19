import { DONE_EVENT } from '@modelwire/core';
import type { ResponseRetrieveParams } from '@modelwire/schema/types';
import type { ResponseRecord } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalidState } from '../../errors.ts';
import { followStream } from '../../event-streams/follow-stream.ts';
import { projectStores } from '../../media/files/storage.ts';
import { streamReply } from '../../streaming/event-pipe.ts';
import type { EventSink, StreamedReply } from '../../streaming/event-pipe.ts';
import { EventSequence, storedEvent, writeEventsTo } from './event-sequence.ts';

type StreamCall = Pick<Call, 'principal' | 'client' | 'logRecord'>;

interface StoredStream {
  readonly record: ResponseRecord;
  readonly query: Pick<ResponseRetrieveParams, 'starting_after' | 'include_obfuscation'>;
}

/** The events of a background response: those that are stored, then further ones as they are stored, until it ends. */
export async function streamStoredResponse(
  stored: StoredStream,
  call: StreamCall,
  server: ServerContext,
): Promise<StreamedReply> {
  const { response, isStreamed } = stored.record;
  if (!isStreamed) {
    throw invalidState(
      `The response '${response.id}' has no events: they are stored for responses that are created with 'background' and 'stream'.`,
    );
  }
  return streamReply(call, server, undefined, (sink) => writeEvents(stored, sink, call, server));
}

async function writeEvents(
  { record, query }: StoredStream,
  sink: EventSink,
  call: StreamCall,
  server: ServerContext,
): Promise<void> {
  const { id } = record.response;
  const { responses, eventStreams: store } = projectStores(call, server);
  const { include_obfuscation: isObfuscated = true } = query;
  const write = writeEventsTo(sink, isObfuscated);
  let next = (query.starting_after ?? -1) + 1;
  const outcome = await followStream({
    id,
    after: next - 1,
    store,
    openStreams: server.openStreams,
    signal: call.client.signal,
    async onEvents({ first, events }) {
      events.forEach((data, index) => write(storedEvent(data, first + index)));
      next = first + events.length;
      if (sink.isFull) await sink.drained();
    },
  });
  if (!outcome) return;
  const ended = await responses.get(id);
  if (ended?.response.status === 'cancelled')
    new EventSequence(write, next).emit({ type: 'response.incomplete', response: ended.response });
  sink.write(DONE_EVENT);
}
