const size = 64;

/**
 * Records that are handled many at a time: a single one would find neither the code nor the data of its handler in the caches of the
 * processor, and take several times as long. Their objects are used again.
 */
export class RecordBatch<Item> {
  readonly #items: readonly Item[];
  readonly #handle: (item: Item) => void;
  #count = 0;

  constructor(create: () => Item, handle: (item: Item) => void) {
    this.#items = Array.from({ length: size }, create);
    this.#handle = handle;
  }

  /** The next record. Set its fields at once; they have those of an earlier record. */
  next(): Item {
    if (this.#count === size) this.flush();
    const item = this.#items[this.#count++];
    if (!item) throw new Error('a batch has a record for each position');
    return item;
  }

  /** Handles the records. */
  flush(): void {
    const count = this.#count;
    this.#count = 0;
    for (let index = 0; index < count; index++) {
      const item = this.#items[index];
      if (item) this.#handle(item);
    }
  }
}
