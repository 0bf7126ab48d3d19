/** A virtual clock, and what happens at later times. */
export interface VirtualTime {
  /** Milliseconds. */
  readonly monotonic: () => number;
  readonly after: (ms: number, action: () => void) => void;
  /** Runs what is due next, again and again. */
  readonly runUntil: (isOver: () => boolean) => void;
}

interface Event {
  readonly at: number;
  readonly action: () => void;
}

export function createVirtualTime(): VirtualTime {
  /** A binary heap: the next event is the first. */
  const heap: Event[] = [];
  let now = 0;
  const at = (index: number): number => heap[index]?.at ?? Infinity;

  function swap(a: number, b: number): void {
    const [first, second] = [heap[a], heap[b]];
    if (!first || !second) return;
    heap[a] = second;
    heap[b] = first;
  }
  function takeNext(): Event | undefined {
    swap(0, heap.length - 1);
    const next = heap.pop();
    for (let index = 0; ;) {
      const smaller = at(2 * index + 1) <= at(2 * index + 2) ? 2 * index + 1 : 2 * index + 2;
      if (at(smaller) >= at(index)) return next;
      swap(smaller, index);
      index = smaller;
    }
  }
  return {
    monotonic: () => now,
    after(ms, action) {
      heap.push({ at: now + ms, action });
      for (let index = heap.length - 1; index > 0;) {
        const parent = (index - 1) >> 1;
        if (at(parent) <= at(index)) return;
        swap(parent, index);
        index = parent;
      }
    },
    runUntil(isOver) {
      while (!isOver()) {
        const next = takeNext();
        if (!next) throw new Error('nothing happens any more');
        now = next.at;
        next.action();
      }
    },
  };
}
