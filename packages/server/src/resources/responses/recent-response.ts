import type { ResponseItem } from '@modelwire/schema/types';
import type { RecentResponses } from '../../call.ts';
import type { BodyReservation } from '../../limits/memory-limiter.ts';

interface Recent {
  readonly id: string;
  readonly items: readonly ResponseItem[];
}

/** The newest response of a connection, where it was not stored: a conversation of such responses continues on its connection only. */
export class RecentResponse implements RecentResponses {
  readonly #memory: BodyReservation;
  /** UTF-16 code units. A longer conversation is not kept. */
  readonly #maxLength: number;
  #recent: Recent | undefined;

  constructor(memory: BodyReservation, maxLength: number) {
    this.#memory = memory;
    this.#maxLength = maxLength;
  }

  find(id: string): readonly ResponseItem[] | undefined {
    return this.#recent?.id === id ? this.#recent.items : undefined;
  }

  save(id: string, items: readonly ResponseItem[]): void {
    this.clear();
    const { length } = JSON.stringify(items);
    if (length <= this.#maxLength && this.#memory.tryAdd(length)) this.#recent = { id, items };
  }

  /** Forgets the response with this ID. Default: whichever it is. */
  clear(id = this.#recent?.id): void {
    if (this.#recent?.id !== id) return;
    this.#recent = undefined;
    this.#memory.release();
  }
}
