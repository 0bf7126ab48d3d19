import { widthOf } from '../output/width.ts';

/** Wraps lines between words. */
export interface Wrapper {
  /** Begins a line with markers. Its wrapped lines are indented by their width. */
  begin(markers: string): string;
  /** Text without newlines, which can contain styles of this program. Spaces at its end are printed before the next word. */
  print(text: string): string;
  newline(): string;
}

// Styles have no width.
const STYLES = /\u001b\[\d+m/g;
const cellsOf = (text: string): number => widthOf(text.replace(STYLES, ''));

export function createWrapper(columns: () => number): Wrapper {
  let column = 0;
  let indent = 0;
  let spaces = '';
  return {
    begin(markers) {
      indent = column = cellsOf(markers);
      return markers;
    },
    print(text) {
      let out = '';
      for (const piece of text.split(/( +)/)) {
        if (piece.trim() === '') {
          spaces += piece;
          continue;
        }
        const cells = cellsOf(piece);
        const isTooLong = column + spaces.length + cells > Math.max(20, columns() - 1);
        const isWrapped = isTooLong && column > indent && spaces !== '';
        out += isWrapped ? `\n${' '.repeat(indent)}${piece}` : spaces + piece;
        column = isWrapped ? indent + cells : column + spaces.length + cells;
        spaces = '';
      }
      return out;
    },
    newline() {
      column = indent = 0;
      spaces = '';
      return '\n';
    },
  };
}
