const batchSize = 64;

/**
 * Collects records in reused objects and handles them in batches: handling each one separately takes several times as long, because neither
 * the code nor the data of the handler are then in the CPU caches.
 */
export class RecordBatch<Item> {
  readonly #items: readonly Item[];
  readonly #handle: (item: Item) => void;
  #count = 0;

  constructor(create: () => Item, handle: (item: Item) => void) {
    this.#items = Array.from({ length: batchSize }, create);
    this.#handle = handle;
  }

  /** Returns the next record to fill. Set all its fields synchronously: they still have the values of an earlier record. */
  next(): Item {
    if (this.#count === batchSize) this.flush();
    const item = this.#items[this.#count++];
    if (!item) throw new Error('Missing record in the batch');
    return item;
  }

  /** Handles all collected records. */
  flush(): void {
    const count = this.#count;
    this.#count = 0;
    for (let index = 0; index < count; index++) {
      const item = this.#items[index];
      if (item) this.#handle(item);
    }
  }
}
