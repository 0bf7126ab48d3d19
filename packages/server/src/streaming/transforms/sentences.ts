/** Splits a growing text into pieces that can be spoken separately. */
export interface Sentences {
  /** The pieces that are complete. */
  add(text: string): readonly string[];
  /** The rest, unless it is blank. */
  end(): readonly string[];
}

/** Longer sentences are split between words. */
const maxLength = 300;

export function sentences(): Sentences {
  let rest = '';
  function take(end: number): string {
    const sentence = rest.slice(0, end);
    rest = rest.slice(end);
    return sentence;
  }
  return {
    add(text) {
      rest += text;
      const complete: string[] = [];
      for (;;) {
        // A full stop ends a sentence only before whitespace: it may be a decimal point, as in 3.14.
        const found = /[.!?…:;]["”')\]]*\s|\n|[。！？]/.exec(rest);
        const end = found ? found.index + found[0].length : Infinity;
        if (end <= maxLength) complete.push(take(end));
        else if (rest.length > maxLength) complete.push(take(lastSpace(rest)));
        else break;
      }
      return complete.filter((sentence) => sentence.trim() !== '');
    },
    end() {
      const last = rest;
      rest = '';
      return last.trim() === '' ? [] : [last];
    },
  };
}

function lastSpace(text: string): number {
  const at = text.lastIndexOf(' ', maxLength);
  return at > 0 ? at + 1 : maxLength;
}
