import { isRecord } from '@modelwire/adapter-kit';
import type { NativeResponseEvent } from '@modelwire/ports';
import type { UpstreamReply } from '../attempts/attempts.ts';
import { errorFields } from './error-body.ts';
import type { ErrorFields } from './error-body.ts';
import { errorInReply } from '../attempts/failures.ts';
import { openPayloads } from './payloads.ts';
import type { PayloadReader, PayloadReading, Payloads } from './payloads.ts';
import type { ServerSettings } from '../presets/settings.ts';
import { readTypedEvent } from './typed-event.ts';

const terminalEvents: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete']);
/** Events before the first output, as are those that add an empty item or part. */
const openingEvents = /^(?:response\.(?:created|queued|in_progress|\w+\.added)|keepalive)$/;

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
    const reading = readTypedEvent(payload, this.#server);
    if ('failure' in reading) return reading;
    const { event } = reading;
    const { type, response } = event;
    if (type === 'response.failed') return { failure: errorInReply(failureOf(response), this.#server) };
    this.#isFinished = terminalEvents.has(type);
    return { item: event, hasOutput: !openingEvents.test(type) };
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

function failureOf(response: unknown): ErrorFields {
  return (isRecord(response) ? errorFields({ error: response['error'] }) : undefined) ?? {};
}
