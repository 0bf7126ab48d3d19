import { isRecord, parseJson } from '@modelwire/ports';
import type { NativeResponseEvent } from '@modelwire/ports';
import type { UpstreamReply } from './attempts.ts';
import { openEvents } from './payloads.ts';
import type { Payloads } from './payloads.ts';

const terminalEvents: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);
/** Events before the first output. */
const openingEvents: ReadonlySet<unknown> = new Set(['response.created', 'response.queued', 'response.in_progress']);

/** Reads a streamed response up to its first output. */
export function openResponse(upstreamReply: UpstreamReply): Promise<Payloads> {
  return openEvents(upstreamReply, {
    inspectPattern: /rror"|response\.(?:completed|incomplete|failed)"/,
    hasOutput: ({ type }) => !openingEvents.has(type),
    isFinished: ({ type }) => terminalEvents.has(type),
    endsWhenFinished: true,
  });
}

/**
 * The events of a streamed response, in the groups in which they arrive, up to the last one.
 *
 * @throws RequestError for an event `error`, a malformed event, a timeout, and a stream that ends early.
 */
export async function* responseEvents(
  payloads: Payloads,
): AsyncGenerator<readonly NativeResponseEvent[], void, undefined> {
  for await (const texts of payloads) {
    yield texts.map((text): NativeResponseEvent => {
      const event = parseJson(text);
      if (!isRecord(event) || typeof event['type'] !== 'string') throw payloads.rejectReply('an event without a type');
      return { ...event, type: event['type'] };
    });
  }
}
