/** The initial capacity. */
const MIN_CAPACITY = 1024;
/** A buffer with a larger capacity is not kept when it is cleared: 1 MB, more than the ids of most vocabularies. */
const MAX_KEPT_CAPACITY = 2 ** 18;

/** A growable list of token ids. Its memory is reused after `clear`. */
export class IdBuffer {
  #ids = new Uint32Array(MIN_CAPACITY);
  length = 0;

  clear(): void {
    if (this.#ids.length > MAX_KEPT_CAPACITY) this.#ids = new Uint32Array(MIN_CAPACITY);
    this.length = 0;
  }

  add(id: number): void {
    if (this.length === this.#ids.length) this.#grow(this.length + 1);
    this.#ids[this.length++] = id;
  }

  addAll(ids: ArrayLike<number>): void {
    if (this.length + ids.length > this.#ids.length) this.#grow(this.length + ids.length);
    this.#ids.set(ids, this.length);
    this.length += ids.length;
  }

  /** A view of the ids, valid until ids are added. */
  ids(): Uint32Array {
    return this.#ids.subarray(0, this.length);
  }

  /** Sorts the ids and removes duplicates in place, and returns a copy of them. */
  sorted(): Uint32Array {
    const ids = this.ids().sort();
    let count = 0;
    for (let at = 0; at < ids.length; at++) {
      const id = ids[at] ?? 0;
      if (count === 0 || ids[count - 1] !== id) ids[count++] = id;
    }
    this.length = count;
    return ids.slice(0, count);
  }

  #grow(minCapacity: number): void {
    const larger = new Uint32Array(Math.max(minCapacity, this.#ids.length * 2));
    larger.set(this.#ids);
    this.#ids = larger;
  }
}
