import { stopFinder } from './stop-finder.ts';
import type { StopTables } from './stop-finder.ts';

/** A part of a text that arrives in pieces. */
interface TextPiece {
  readonly text: string;
}

/** Holds back pieces of a text that may begin a stop sequence, until that is decided. */
export interface StopBuffer<Piece extends TextPiece> {
  /** The pieces that are decided now. Where a stop sequence is complete, they end before it, and `stoppedBy` is that sequence. */
  push(piece: Piece): { readonly pieces: readonly Piece[]; readonly stoppedBy: string | undefined };
  /** The pieces that are held back, at the end of the text. */
  flush(): readonly Piece[];
}

/** `truncate`: the first `length` UTF-16 units of a piece. */
export function createStopBuffer<Piece extends TextPiece>(
  tables: StopTables,
  truncate: (piece: Piece, length: number) => Piece,
): StopBuffer<Piece> {
  let find = stopFinder(tables);
  let held: Piece[] = [];
  /** Length of the text before the first held piece. */
  let released = 0;
  const release = (end: number): Piece[] => {
    const pieces: Piece[] = [];
    for (let [first] = held; first && released + first.text.length <= end; [first] = held) {
      pieces.push(first);
      released += first.text.length;
      held.shift();
    }
    return pieces;
  };
  return {
    push(piece) {
      held.push(piece);
      const { safe, stopAt, stoppedBy } = find(piece.text);
      const pieces = release(stopAt ?? safe);
      const [next] = held;
      if (stopAt !== undefined && next && stopAt > released) pieces.push(truncate(next, stopAt - released));
      if (stopAt !== undefined) held = [];
      return { pieces, stoppedBy };
    },
    flush() {
      const pieces = held;
      [held, released, find] = [[], 0, stopFinder(tables)];
      return pieces;
    },
  };
}
