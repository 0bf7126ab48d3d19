/** Limits the memory of the lines that have been read and not completed yet, over all batches of a server. */
export interface LineMemory {
  /** Reserves memory for a line of the maximum length before it is read. Undefined if there is not enough: `onFreed` is called once there may be. */
  reserve(onFreed: () => void): LineReservation | undefined;
}

export interface LineReservation {
  /** Reduces the reservation to the actual length of the line. */
  resize(length: number): void;
  /** Releases the reservation. Further calls have no effect. */
  release(): void;
}

/**
 * Limits the total number of UTF-16 code units. Memory is reserved before a line is read, because its length is unknown until then. One
 * line is always admitted, however small the limit is.
 */
export function createLineMemory({
  maxLength,
  maxLineLength,
}: {
  readonly maxLength: number;
  readonly maxLineLength: number;
}): LineMemory {
  let reserved = 0;
  const waiting = new Set<() => void>();

  function adjust(delta: number): void {
    reserved += delta;
    if (delta >= 0) return;
    const listeners = [...waiting];
    waiting.clear();
    for (const freed of listeners) freed();
  }
  return {
    reserve(onFreed) {
      if (reserved > 0 && reserved + maxLineLength > maxLength) {
        waiting.add(onFreed);
        return undefined;
      }
      waiting.delete(onFreed);
      let length = maxLineLength;
      adjust(length);
      const resize = (now: number): void => {
        const delta = now - length;
        length = now;
        adjust(delta);
      };
      return { resize, release: () => resize(0) };
    },
  };
}
