import { widthOf } from '../output/width.ts';

/** Breaks lines between words. A word is held back until it is whole. */
export interface Wrapper {
  /** Text that may hold our own styles; no newline. */
  push(text: string): string;
  /** What is held back. */
  flush(): string;
  /** Ends the line. Lines that follow by wrapping begin with the indent. */
  newline(indent?: string): string;
  /** Sets what wrapped lines of this one begin with. */
  indent(text: string): void;
}

// Our own styles take no room.
const STYLES = /\u001b\[\d+m/g;

export function createWrapper(columns: () => number): Wrapper {
  let column = 0;
  let word = '';
  let spaces = '';
  let hanging = '';

  function flush(): string {
    const held = word;
    word = '';
    if (held === '') return '';
    const cells = widthOf(held.replace(STYLES, ''));
    const limit = Math.max(20, columns() - 1);
    let out = spaces;
    if (column > widthOf(hanging) && column + spaces.length + cells > limit && cells > 0) {
      out = `\n${hanging}`;
      column = widthOf(hanging);
    } else column += spaces.length;
    spaces = '';
    column += cells;
    return out + held;
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
      hanging = indent;
      return `${out}\n`;
    },
    indent(text) {
      hanging = text;
    },
  };
}
