import { isRecord, parseJson } from '@modelwire/ports';
import type { NativeResponseEvent } from '@modelwire/ports';
import type { UpstreamReply } from './attempts.ts';
import { readEvents } from './payloads.ts';

const terminalEvents: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/**
 * The events of a streamed response, in the groups in which they arrive, up to the last one.
 *
 * @throws RequestError for an event `error`, a malformed event, a timeout, and a stream that ends early.
 */
export async function* readResponse(
  upstreamReply: UpstreamReply,
): AsyncGenerator<readonly NativeResponseEvent[], void, undefined> {
  const payloads = readEvents(upstreamReply, {
    inspectPattern: /rror"|response\.(?:completed|incomplete|failed)"/,
    isFinished: ({ type }) => terminalEvents.has(type),
    endsWhenFinished: true,
  });
  for await (const texts of payloads) {
    yield texts.map((text): NativeResponseEvent => {
      const event = parseJson(text);
      if (!isRecord(event) || typeof event['type'] !== 'string') throw payloads.rejectReply('an event without a type');
      return { ...event, type: event['type'] };
    });
  }
}
