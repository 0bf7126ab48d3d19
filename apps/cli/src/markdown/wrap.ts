import { widthOf } from '../output/width.ts';

/** Wraps lines between words. A word is buffered until it is complete. */
export interface Wrapper {
  /** Text without newlines, which can contain styles of this program. */
  push(text: string): string;
  /** Returns the buffered text. */
  flush(): string;
  /** Ends the line. Its wrapped lines begin with the indent. */
  newline(indent?: string): string;
  /** Sets the indent of the wrapped lines of this line. */
  indent(text: string): void;
}

// Styles have no width.
const STYLES = /\u001b\[\d+m/g;

export function createWrapper(columns: () => number): Wrapper {
  let column = 0;
  let word = '';
  let spaces = '';
  let hangingIndent = '';

  function flush(): string {
    const complete = word;
    word = '';
    if (complete === '') return '';
    const cells = widthOf(complete.replace(STYLES, ''));
    const limit = Math.max(20, columns() - 1);
    let out = spaces;
    if (column > widthOf(hangingIndent) && column + spaces.length + cells > limit && cells > 0) {
      out = `\n${hangingIndent}`;
      column = widthOf(hangingIndent);
    } else column += spaces.length;
    spaces = '';
    column += cells;
    return out + complete;
  }

  return {
    push(text) {
      let out = '';
      for (const piece of text.split(/( +)/)) {
        if (piece === '') continue;
        if (piece.startsWith(' ')) {
          out += flush();
          spaces += piece;
        } else word += piece;
      }
      return out;
    },
    flush: () => {
      const out = flush();
      const rest = spaces;
      spaces = '';
      column += rest.length;
      return out + rest;
    },
    newline(indent = '') {
      const out = flush();
      spaces = '';
      column = 0;
      hangingIndent = indent;
      return `${out}\n`;
    },
    indent(text) {
      hangingIndent = text;
    },
  };
}
