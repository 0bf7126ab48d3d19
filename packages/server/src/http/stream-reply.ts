import { encodeData } from '@modelwire/core';
import type { Call } from '../call.ts';
import type { ServerContext } from '../context.ts';
import { errorBody, toRequestError } from '../errors.ts';
import { logError } from './log-error.ts';
import type { Reply } from './reply.ts';
import { openEventPipe } from '../streaming/event-pipe.ts';
import type { EventSink } from '../streaming/event-pipe.ts';

type StreamedCall = Pick<Call, 'client' | 'logRecord'>;

/**
 * Streams a reply as events. Resolves with the first bytes: an error that `produce` throws earlier is an HTTP status.
 *
 * @param engine The engine whose slot the reply occupies. While requests wait for it, a slow reader has less time.
 */
export async function streamReply(
  call: StreamedCall,
  { options, queues, responseMemory }: ServerContext,
  engine: Parameters<ServerContext['queues']['get']>[0] | undefined,
  produce: (sink: EventSink) => Promise<void>,
): Promise<Reply> {
  const queue = engine && queues.get(engine);
  call.logRecord.streamed = true;
  const events = await openEventPipe({
    cancel: (reason) => call.client.abort(reason),
    signal: () => call.client.signal,
    stallMs: options.writeTimeoutMs,
    contendedStallMs: options.contendedWriteTimeoutMs,
    isContended: () => queue?.isContended === true,
    memory: responseMemory.reserve(),
    produce,
  });
  return typeof events === 'string' ? { status: 200, events } : { status: 200, events, done: events.done };
}

/** Ends a stream with an error event. @throws the error if no bytes were sent yet, so that it becomes an HTTP status. */
export function writeError(thrown: unknown, call: StreamedCall, sink: EventSink): void {
  if (!sink.hasStarted()) throw thrown;
  // The client disconnected. A server that shuts down still sends the error.
  if (sink.isClosed()) return;
  const error = toRequestError(call.client.reason ?? thrown);
  logError(call.logRecord, error);
  sink.write(encodeData(JSON.stringify(errorBody(error))));
}
