import type { ResponseObject, ResponseStreamEvent } from '@modelwire/schema/types';
import type { RequestError } from '../../errors.ts';
import type { ResponseEventEmitter, ResponseEventBody } from './item-events.ts';

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
