/** What the lines that are read and not answered yet hold, over all batches of a server. */
export interface LineMemory {
  /** Room for the longest line there is, before one is read; undefined when there is none: `freed` is called once there may be. */
  take(freed: () => void): HeldLine | undefined;
}

export interface HeldLine {
  /** It was no longer than this. */
  is(length: number): void;
  /** It is held no more. Again, it does nothing. */
  free(): void;
}

/**
 * Bounds the characters of lines together. Room is taken before a line is read, as nobody knows its length: what is read has its
 * place. One line is let in however little memory there is.
 */
export function lineMemory({ most, longest }: { readonly most: number; readonly longest: number }): LineMemory {
  let held = 0;
  const waiting = new Set<() => void>();

  function change(by: number): void {
    held += by;
    if (by >= 0) return;
    const woken = [...waiting];
    waiting.clear();
    for (const freed of woken) freed();
  }
  return {
    take(freed) {
      if (held > 0 && held + longest > most) {
        waiting.add(freed);
        return undefined;
      }
      waiting.delete(freed);
      let length = longest;
      change(length);
      const is = (now: number): void => {
        const by = now - length;
        length = now;
        change(by);
      };
      return { is, free: () => is(0) };
    },
  };
}
