import type { ResponseObject, ResponseStreamEvent, ResponseOutputItem } from '@modelwire/schema/types';
import type { RequestError } from '../../errors.ts';
import { padding } from '../../streaming/chunk-writer.ts';
import type { EventSink } from '../../streaming/event-pipe.ts';

/** An event without its sequence number. */
export type ResponseEventBody = Unsequenced<ResponseStreamEvent>;
type Unsequenced<Event> = Event extends unknown ? Omit<Event, 'sequence_number'> : never;

/** Emits the events of one response, in order. */
export interface ResponseEventEmitter {
  emit(event: ResponseEventBody): void;
}

/** For a response that is not streamed. */
export const noEvents: ResponseEventEmitter = { emit: () => undefined };

/** The position of an output item. */
export interface ItemPosition {
  readonly output_index: number;
  readonly item_id: string;
}

/** An output item that is being generated. */
export interface OutputItemBuilder {
  /** Emits its last events. Nothing can be added to it afterwards. */
  close(status: 'completed' | 'incomplete'): ResponseOutputItem;
}

/** An event of a stream as JSON. */
export interface SerializedEvent {
  readonly type: string;
  readonly sequenceNumber: number;
  /** The event as JSON without its last brace, so that a field can be appended. */
  readonly openJson: string;
  /** Length of the JSON in UTF-8 bytes; undefined for an event without a delta, which is never padded. */
  readonly deltaBytes: number | undefined;
  readonly hasLogprobs: boolean;
}

export type WriteEvent = (event: SerializedEvent) => void;

/** Numbers the events of a response and serializes them. */
export class EventSequence implements ResponseEventEmitter {
  readonly #write: WriteEvent;
  #next: number;

  /** @param first Number of the first event. */
  constructor(write: WriteEvent, first = 0) {
    this.#write = write;
    this.#next = first;
  }

  emit(event: ResponseEventBody): void {
    const sequenceNumber = this.#next++;
    const openJson = `${withoutLastBrace(JSON.stringify(event))},"sequence_number":${sequenceNumber}`;
    this.#write(serialized(openJson, event, sequenceNumber));
  }
}

/** Emits the last events of a response that has failed. */
export function emitFailure(events: ResponseEventEmitter, response: ResponseObject, error: RequestError): void {
  const { type, code, message, param } = error;
  events.emit({ type: 'error', code, message, param, error: { type, code, message, param } });
  events.emit({ type: 'response.failed', response });
}

/** An event that was serialized and numbered before. */
export function storedEvent(json: string, sequenceNumber: number): SerializedEvent {
  // Serialized by a worker.
  return serialized(withoutLastBrace(json), JSON.parse(json) as ResponseStreamEvent, sequenceNumber);
}

function serialized(openJson: string, event: ResponseEventBody, sequenceNumber: number): SerializedEvent {
  return {
    type: event.type,
    sequenceNumber,
    openJson,
    deltaBytes: 'delta' in event ? Buffer.byteLength(openJson) + 1 : undefined,
    hasLogprobs: 'logprobs' in event && event.logprobs.length > 0,
  };
}

function withoutLastBrace(json: string): string {
  return json.slice(0, -1);
}

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
