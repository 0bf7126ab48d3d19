/** Pairs of numbers, numbered in order of insertion. */
export type Pairs = {
  count(): number;
  first(id: number): number;
  second(id: number): number;
  /** The number of a pair, or -1 if it is unknown. */
  find(first: number, second: number): number;
  /** Adds a new pair. */
  add(first: number, second: number): number;
};

export function createPairs(): Pairs {
  let firsts = new Int32Array(256);
  let seconds = new Int32Array(256);
  /** A hash table with open addressing, twice as large as the number of pairs. */
  let slots = new Int32Array(512).fill(-1);
  let count = 0;

  const slotOf = (first: number, second: number): number => {
    const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & (slots.length - 1);
    for (let id = slots[slot] ?? -1; id >= 0; id = slots[slot] ?? -1) {
      if (firsts[id] === first && seconds[id] === second) break;
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  };
  const grow = (): void => {
    const [oldFirsts, oldSeconds] = [firsts, seconds];
    firsts = new Int32Array(count * 2);
    seconds = new Int32Array(count * 2);
    firsts.set(oldFirsts);
    seconds.set(oldSeconds);
    slots = new Int32Array(count * 4).fill(-1);
    for (let id = 0; id < count; id++) slots[slotOf(firsts[id] ?? 0, seconds[id] ?? 0)] = id;
  };
  return {
    count: () => count,
    first: (id) => firsts[id] ?? 0,
    second: (id) => seconds[id] ?? 0,
    find: (first, second) => slots[slotOf(first, second)] ?? -1,
    add(first, second) {
      if (count === firsts.length) grow();
      slots[slotOf(first, second)] = count;
      firsts[count] = first;
      seconds[count] = second;
      return count++;
    },
  };
}
