/** What a stop sequence has done to the text so far. Positions count UTF-16 units from the start of the reply. */
export interface StopState {
  /** Text before this position is free: no stop sequence can still begin there. */
  readonly free: number;
  /** Where the stop sequence that ended the reply begins. */
  readonly cut: number | undefined;
}

/** Stop sequences, made ready: once for each request, for all of its choices. */
export type StopTables = readonly { readonly text: string; readonly failure: Uint32Array }[];

export function stopTables(sequences: readonly string[]): StopTables {
  return sequences.filter((text) => text !== '').map((text) => ({ text, failure: failures(text) }));
}

/**
 * Finds stop sequences in a text that arrives in pieces: one Knuth-Morris-Pratt automaton each, so the work is linear
 * whatever the sequences are. The one that is complete first wins; of two complete at once, the longer.
 */
export function stopFinder(tables: StopTables): (piece: string) => StopState {
  const automata = tables.map(({ text, failure }) => ({ text, failure, matched: 0 }));
  let position = 0;
  return (piece) => {
    for (let i = 0; i < piece.length; i++) {
      const unit = piece.charCodeAt(i);
      position++;
      let longest = 0;
      for (const automaton of automata) {
        const { text, failure } = automaton;
        let { matched } = automaton;
        while (matched > 0 && text.charCodeAt(matched) !== unit) matched = failure[matched - 1] ?? 0;
        if (text.charCodeAt(matched) === unit) matched++;
        automaton.matched = matched;
        if (matched === text.length) longest = Math.max(longest, matched);
      }
      if (longest > 0) return { free: position - longest, cut: position - longest };
    }
    let open = 0;
    for (const { matched } of automata) open = Math.max(open, matched);
    return { free: position - open, cut: undefined };
  };
}

/** For each prefix, the length of its longest proper prefix that is also its suffix. */
function failures(text: string): Uint32Array {
  const table = new Uint32Array(text.length);
  let length = 0;
  for (let i = 1; i < text.length; i++) {
    while (length > 0 && text[i] !== text[length]) length = table[length - 1] ?? 0;
    if (text[i] === text[length]) length++;
    table[i] = length;
  }
  return table;
}
