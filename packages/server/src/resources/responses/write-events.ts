import { padding } from '../../streaming/chunk-writer.ts';
import type { EventSink } from '../../streaming/event-pipe.ts';
import type { SerializedEvent, WriteEvent } from './event-sequence.ts';

/** Deltas are padded to multiples of this many bytes. */
const paddingStep = 64;
const paddingStepWithLogprobs = 1024;

/** Writes events as server-sent events. Deltas are padded with random characters, so that sizes do not reveal their contents. */
export function writeEventsTo({ write }: Pick<EventSink, 'write'>, isObfuscated: boolean): WriteEvent {
  return (event) => write(`event: ${event.type}\ndata: ${jsonOf(event, isObfuscated)}\n\n`);
}

/** Writes events as messages of a WebSocket connection, one a line. */
export function writeMessagesTo({ write }: Pick<EventSink, 'write'>, isObfuscated: boolean): WriteEvent {
  return (event) => {
    // An `error` is followed by `response.failed`, which reports the same error.
    if (event.type !== 'error') write(`${jsonOf(event, isObfuscated)}\n`);
  };
}

function jsonOf(event: SerializedEvent, isObfuscated: boolean): string {
  if (!isObfuscated || event.deltaBytes === undefined) return `${event.openJson}}`;
  const pad = padding(event.deltaBytes, 0, event.hasLogprobs ? paddingStepWithLogprobs : paddingStep);
  return `${event.openJson},"obfuscation":"${pad}"}`;
}
