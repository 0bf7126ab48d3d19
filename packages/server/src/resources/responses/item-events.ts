import type { ResponseOutputItem, ResponseStreamEvent } from '@modelwire/schema/types';

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
  /** Events with this key belong to it. */
  readonly key: string;
  /** Whether another item may start: false while a tool call lacks a part of its arguments. */
  isComplete(): boolean;
  /** Emits its last events. Nothing can be added to it afterwards. */
  close(status: 'completed' | 'incomplete'): ResponseOutputItem;
}
