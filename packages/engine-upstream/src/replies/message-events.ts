import { isRecord, isTokenCount } from '@modelwire/adapter-kit';
import type { NativeMessageEvent } from '@modelwire/ports';
import type { UpstreamReply } from '../attempts/attempts.ts';
import { replyIncomplete } from '../attempts/failures.ts';
import type { ServerSettings } from '../presets/settings.ts';
import { readCompleteBody } from './complete-body.ts';
import { openPayloads } from './payloads.ts';
import type { PayloadReader, PayloadReading, Payloads } from './payloads.ts';
import { readTypedEvent } from './typed-event.ts';

/** Events before the first output. */
const openingEvents: ReadonlySet<string> = new Set(['message_start', 'content_block_start']);

/** Reads a streamed message up to its first output. */
export function openMessageStream(upstreamReply: UpstreamReply): Promise<Payloads<NativeMessageEvent>> {
  return openPayloads(upstreamReply, new MessageReader(upstreamReply.server));
}

/** Reads a whole message. */
export function readMessage(upstreamReply: UpstreamReply): Promise<NativeMessageEvent> {
  const parse = (value: Readonly<Record<string, unknown>>): NativeMessageEvent | undefined => {
    const { type, content, stop_reason: reason } = value;
    return type === 'message' && Array.isArray(content) && typeof reason === 'string' ? { ...value, type } : undefined;
  };
  return readCompleteBody(upstreamReply, parse, 'no complete message');
}

/** Reads the count of the tokens of a prompt. */
export function readMessageTokens(upstreamReply: UpstreamReply): Promise<number> {
  const parse = ({ input_tokens: tokens }: Readonly<Record<string, unknown>>): number | undefined =>
    isTokenCount(tokens) ? tokens : undefined;
  return readCompleteBody(upstreamReply, parse, 'no count of tokens');
}

/** Reads the events of a message up to the last one. Keep-alive events are left out. */
class MessageReader implements PayloadReader<NativeMessageEvent> {
  readonly #server: ServerSettings;
  #hasStopReason = false;
  #hasStopped = false;

  constructor(server: ServerSettings) {
    this.#server = server;
  }

  get endsWhenFinished(): boolean {
    return this.#hasStopped;
  }

  read(payload: string): PayloadReading<NativeMessageEvent> {
    const reading = readTypedEvent(payload, this.#server);
    if ('failure' in reading) return reading;
    const { event } = reading;
    const { type, delta } = event;
    if (type === 'ping') return undefined;
    if (type === 'message_delta' && isRecord(delta) && typeof delta['stop_reason'] === 'string')
      this.#hasStopReason = true;
    if (type === 'message_stop') {
      if (!this.#hasStopReason) return { failure: replyIncomplete(this.#server.name) };
      this.#hasStopped = true;
    }
    return { item: event, hasOutput: !openingEvents.has(type) };
  }

  readComplete(): undefined {
    return undefined;
  }

  /** A message that says why it stopped is complete: some servers omit the last event. */
  isFinished(): boolean {
    return this.#hasStopReason;
  }

  end(): PayloadReading<NativeMessageEvent> {
    return this.#hasStopReason ? undefined : { failure: replyIncomplete(this.#server.name) };
  }
}
