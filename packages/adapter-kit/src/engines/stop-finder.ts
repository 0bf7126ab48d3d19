/** The result of the search for stop sequences so far. Positions count UTF-16 units from the start of the text. */
export interface StopState {
  /** No stop sequence can begin before this position any more. */
  readonly safe: number;
  /** Where the stop sequence that ended the text begins. */
  readonly stopAt: number | undefined;
  /** That stop sequence. */
  readonly stoppedBy?: string;
}

/** Prepared stop sequences: once for each request, for all of its choices. */
export type StopTables = readonly { readonly text: string; readonly failure: Uint32Array }[];

export function stopTables(sequences: readonly string[]): StopTables {
  return sequences.map((text) => ({ text, failure: failureTable(text) }));
}

/**
 * Finds stop sequences in a text that arrives in pieces: one Knuth-Morris-Pratt automaton each, so the work is linear.
 * The sequence that is completed first is used; of two that end at the same position, the longer one.
 */
export function stopFinder(tables: StopTables): (piece: string) => StopState {
  const matched = tables.map(() => 0);
  let position = 0;
  return (piece) => {
    if (tables.length === 0) return { safe: (position += piece.length), stopAt: undefined };
    for (let i = 0; i < piece.length; i++) {
      const unit = piece.charCodeAt(i);
      position++;
      let longest = '';
      for (const [index, { text, failure }] of tables.entries()) {
        let length = matched[index] ?? 0;
        while (length > 0 && text.charCodeAt(length) !== unit) length = failure[length - 1] ?? 0;
        if (text.charCodeAt(length) === unit) length++;
        matched[index] = length;
        if (length === text.length && length > longest.length) longest = text;
      }
      if (longest !== '') {
        const stopAt = position - longest.length;
        return { safe: stopAt, stopAt, stoppedBy: longest };
      }
    }
    return { safe: position - Math.max(0, ...matched), stopAt: undefined };
  };
}

/** For each prefix of a text or of bytes, the length of its longest proper prefix that is also its suffix (Knuth, Morris and Pratt). */
export function failureTable(units: ArrayLike<string | number>): Uint32Array {
  const table = new Uint32Array(units.length);
  let length = 0;
  for (let i = 1; i < units.length; i++) {
    while (length > 0 && units[i] !== units[length]) length = table[length - 1] ?? 0;
    if (units[i] === units[length]) length++;
    table[i] = length;
  }
  return table;
}
