import type { ResponseOutputItem, ResponseStreamEvent } from '@modelwire/schema/types';

/** An event before it has its number in the stream. */
export type ResponseEventBody = Unsequenced<ResponseStreamEvent>;
type Unsequenced<Event> = Event extends unknown ? Omit<Event, 'sequence_number'> : never;

export type EmitEvent = (event: ResponseEventBody) => void;

/** Where an output item is. */
export interface ItemPlace {
  readonly output_index: number;
  readonly item_id: string;
}

/** An output item while it grows. */
export interface GrowingItem {
  /** Events with this key belong to it. */
  readonly key: string;
  /** Whether another item may begin: false while a tool call lacks a part of its arguments. */
  isComplete(): boolean;
  /** Emits its last events. Nothing can be added to it afterwards. */
  close(status: 'completed' | 'incomplete'): ResponseOutputItem;
}
