import { jsonLength } from '@modelwire/adapter-kit/internal';
import type { ResponseItem, ResponseObject } from '@modelwire/schema/types';
import type { ByteReservation } from './byte-budget.ts';

interface Recent {
  readonly id: string;
  readonly items: readonly ResponseItem[];
}

/** The latest response of a connection, if it was not stored: conversations of such responses can only continue on their connection. */
export class RecentResponse {
  readonly #memory: ByteReservation;
  /** UTF-16 code units. A longer conversation is not kept. */
  readonly #maxLength: number;
  #recent: Recent | undefined;
  #hasEnded = false;

  constructor(memory: ByteReservation, maxLength: number) {
    this.#memory = memory;
    this.#maxLength = maxLength;
  }

  /** Whether a response has ended since this was called last. */
  takeEnded(): boolean {
    const hasEnded = this.#hasEnded;
    this.#hasEnded = false;
    return hasEnded;
  }

  /** The last event of a response was written. A response that has failed cannot be continued, nor what it continued. */
  end({ status, previous_response_id: previous }: Pick<ResponseObject, 'status' | 'previous_response_id'>): void {
    this.#hasEnded = true;
    if (status === 'failed' && typeof previous === 'string') this.clear(previous);
  }

  /** The whole conversation up to a response; undefined if it is not this one. */
  find(id: string): readonly ResponseItem[] | undefined {
    return this.#recent?.id === id ? this.#recent.items : undefined;
  }

  /** Keeps the conversation up to a response, instead of the previous one. */
  save(id: string, items: readonly ResponseItem[]): void {
    this.clear();
    const length = jsonLength(items);
    if (length <= this.#maxLength && this.#memory.tryAcquire(length)) this.#recent = { id, items };
  }

  /** Removes the response, if it has this ID. Default: any ID. */
  clear(id = this.#recent?.id): void {
    if (this.#recent?.id !== id) return;
    this.#recent = undefined;
    this.#memory.release();
  }
}
