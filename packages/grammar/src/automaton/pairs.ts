/** Assigns consecutive numbers to pairs of integers, in order of insertion. */
export class Pairs {
  #firsts = new Int32Array(256);
  #seconds = new Int32Array(256);
  /** A hash table with open addressing, with at least twice as many slots as pairs. */
  #slots = new Int32Array(512).fill(-1);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  first(id: number): number {
    return this.#firsts[id] ?? 0;
  }

  second(id: number): number {
    return this.#seconds[id] ?? 0;
  }

  /** Returns the number of a pair. Adds the pair if it is new. */
  add(first: number, second: number): number {
    const slot = this.#slotOf(first, second);
    const known = this.#slots[slot] ?? -1;
    if (known >= 0) return known;
    const id = this.#count++;
    this.#slots[slot] = id;
    this.#firsts[id] = first;
    this.#seconds[id] = second;
    if (this.#count === this.#firsts.length) this.#grow();
    return id;
  }

  #slotOf(first: number, second: number): number {
    const slots = this.#slots;
    const firsts = this.#firsts;
    const seconds = this.#seconds;
    const mask = slots.length - 1;
    const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    for (let id = slots[slot] ?? -1; id >= 0; id = slots[slot] ?? -1) {
      if (firsts[id] === first && seconds[id] === second) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const size = this.#count * 2;
    const [firsts, seconds] = [this.#firsts, this.#seconds];
    this.#firsts = new Int32Array(size);
    this.#seconds = new Int32Array(size);
    this.#firsts.set(firsts);
    this.#seconds.set(seconds);
    this.#slots = new Int32Array(size * 2).fill(-1);
    for (let id = 0; id < this.#count; id++) this.#slots[this.#slotOf(this.first(id), this.second(id))] = id;
  }
}
