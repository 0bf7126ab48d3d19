import { padding } from '../../streaming/stream.ts';
import type { EventSink } from '../../streaming/event-pipe.ts';
import type { WriteEvent } from './event-sequence.ts';

/** Deltas are padded to multiples of this many bytes. */
const paddingStep = 64;
const paddingStepWithLogprobs = 1024;

/** Writes events as they are sent. Deltas are padded with random characters, so that sizes do not reveal their contents. */
export function writeEventsTo({ write }: Pick<EventSink, 'write'>, isObfuscated: boolean): WriteEvent {
  let type: string | undefined;
  /** The lines before the JSON. Most events of a stream have the type of the event before. */
  let opening = '';
  return (event) => {
    if (event.type !== type) {
      type = event.type;
      opening = `event: ${type}\ndata: `;
    }
    if (!isObfuscated || event.deltaBytes === undefined) {
      write(`${opening}${event.openJson}}\n\n`);
      return;
    }
    const pad = padding(event.deltaBytes, 0, event.hasLogprobs ? paddingStepWithLogprobs : paddingStep);
    // One template literal: V8 joins it faster than an array of pieces.
    write(`${opening}${event.openJson},"obfuscation":"${pad}"}\n\n`);
  };
}
