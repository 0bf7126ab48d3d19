import { isRecord, parseJson } from '@modelwire/ports';
import type { NativeResponseEvent } from '@modelwire/ports';
import type { UpstreamReply } from './attempts.ts';
import { errorFields } from './error-body.ts';
import { errorInReply, unexpectedReply } from './failures.ts';
import { openPayloads } from './payloads.ts';
import type { PayloadReader, PayloadReading, Payloads } from './payloads.ts';
import type { ServerSettings } from './settings.ts';

const terminalEvents: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);
/** Events before the first output. */
const openingEvents: ReadonlySet<unknown> = new Set(['response.created', 'response.queued', 'response.in_progress']);

/** Reads a streamed response up to its first output. */
export function openResponse(upstreamReply: UpstreamReply): Promise<Payloads<NativeResponseEvent>> {
  return openPayloads(upstreamReply, new ResponseReader(upstreamReply.server));
}

/** Reads the events of a response up to the last one. */
class ResponseReader implements PayloadReader<NativeResponseEvent> {
  readonly endsWhenFinished = true;
  readonly #server: ServerSettings;
  #isFinished = false;

  constructor(server: ServerSettings) {
    this.#server = server;
  }

  read(payload: string): PayloadReading<NativeResponseEvent> {
    const event = parseJson(payload);
    const error = errorFields(event);
    if (error !== undefined) return { failure: errorInReply(error, this.#server) };
    if (!isRecord(event) || typeof event['type'] !== 'string') {
      return { failure: unexpectedReply('an event without a type', this.#server.name) };
    }
    const { type } = event;
    this.#isFinished = terminalEvents.has(type);
    return { item: { ...event, type }, hasOutput: !openingEvents.has(type) };
  }

  readComplete(): undefined {
    return undefined;
  }

  isFinished(): boolean {
    return this.#isFinished;
  }

  end(): undefined {
    return undefined;
  }
}
