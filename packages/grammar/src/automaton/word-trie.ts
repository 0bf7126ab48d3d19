/** A trie of words. Children have higher numbers than their parents; node 0 is the root. */
export type WordTrie = {
  readonly size: number;
  /** The byte that leads to each node, and the parent of each node. */
  readonly bytes: Uint8Array;
  readonly parents: Int32Array;
  /** 1 where a word ends. */
  readonly ends: Uint8Array;
};

const encoder = new TextEncoder();
/** A line feed ends each word. Words never contain it, because they are JSON, which escapes it. */
export const SEPARATOR = 0x0a;

export function encodeWords(words: readonly string[]): Uint8Array {
  return encoder.encode(words.map((word) => `${word}\n`).join(''));
}

export function buildWordTrie(encodedWords: Uint8Array): WordTrie {
  const capacity = encodedWords.length + 1;
  const bytes = new Uint8Array(capacity);
  const parents = new Int32Array(capacity);
  const ends = new Uint8Array(capacity);
  // The last child of each node, and the previous sibling of each node.
  const lastChild = new Int32Array(capacity);
  const siblings = new Int32Array(capacity);
  let size = 1;
  let at = 0;
  for (const byte of encodedWords) {
    if (byte === SEPARATOR) {
      ends[at] = 1;
      at = 0;
      continue;
    }
    let next = lastChild[at] ?? 0;
    while (next !== 0 && bytes[next] !== byte) next = siblings[next] ?? 0;
    if (next === 0) {
      next = size++;
      bytes[next] = byte;
      parents[next] = at;
      siblings[next] = lastChild[at] ?? 0;
      lastChild[at] = next;
    }
    at = next;
  }
  return { size, bytes, parents, ends };
}
