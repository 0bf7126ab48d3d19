import type { ResponseOutputItem, ResponseStreamEvent } from '@modelwire/schema/types';

/** An event without its sequence number. */
export type ResponseEventBody = Unsequenced<ResponseStreamEvent>;
type Unsequenced<Event> = Event extends unknown ? Omit<Event, 'sequence_number'> : never;

/** The fields of a delta event before its `delta`, in the order in which they are sent. */
export interface DeltaFields extends ItemPosition {
  readonly type: DeltaType;
  readonly content_index?: number;
  readonly summary_index?: number;
}
type DeltaType = Extract<ResponseEventBody, { readonly delta: string }>['type'];

export type EmitDelta = (delta: string) => void;

/** Emits the events of one response, in order. */
export interface ResponseEventEmitter {
  emit(event: ResponseEventBody): void;
  /** Returns a function that emits the deltas of one item or part. They differ in their text only: the other fields are serialized once. */
  deltas(fields: DeltaFields): EmitDelta;
}

/** For a response that is not streamed. */
export const noEvents: ResponseEventEmitter = { emit: () => undefined, deltas: () => () => undefined };

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
