import type { Tokenizer } from './tokenizer.ts';

/** Probabilities of a few tokens, highest first, that sum to 1. */
export interface Sparse {
  readonly ids: Int32Array;
  readonly p: Float64Array;
}

/** An interpolated 3-gram model over token ids. */
export interface Ngram {
  /** What follows two tokens (-1: the start). Backs off to one token, then to none. */
  after(before: number, last: number): Sparse;
  /** Has `last` been seen in the text with something after it? */
  knows(last: number): boolean;
}

/** Shares of the three orders where all are known; the share of an unknown order goes to the next lower one. */
const [share3, share2, share1] = [0.75, 0.22, 0.03];
/** Only this many of the tokens that follow nothing in particular are kept: the rest is left to the uniform floor. */
const unigrams = 40;

type Counts = Map<number, number>;

export function buildNgram(tokenizer: Tokenizer, paragraphs: readonly string[]): Ngram {
  const one: Counts = new Map();
  const two = new Map<number, Counts>();
  const three = new Map<string, Counts>();
  for (const paragraph of paragraphs) {
    let [before, last] = [-1, -1];
    for (const id of tokenizer.encode(` ${paragraph}`)) {
      bump(one, id);
      bump(within(two, last), id);
      bump(within(three, `${before} ${last}`), id);
      [before, last] = [last, id];
    }
  }
  const base = normal(new Map([...one].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, unigrams)));
  const memory = new Map<string, Sparse>();
  const afterOne = new Map<number, Sparse>();
  const start = sparse(base);

  const lower = (last: number): Map<number, number> => {
    const counts = two.get(last);
    return counts === undefined ? base : blend(normal(counts), share2 / (share2 + share1), base);
  };
  return {
    after(before, last) {
      if (!two.has(last)) return start;
      const key = `${before} ${last}`;
      const counts = three.get(key);
      if (counts === undefined) return remember(afterOne, last, () => sparse(lower(last)));
      return remember(memory, key, () => sparse(blend(normal(counts), share3, lower(last))));
    },
    knows: (last) => two.has(last),
  };
}

function bump(counts: Counts, id: number): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

function within<K>(maps: Map<K, Counts>, key: K): Counts {
  return remember(maps, key, () => new Map<number, number>());
}

function remember<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

function normal(counts: Counts): Map<number, number> {
  let total = 0;
  for (const count of counts.values()) total += count;
  return new Map([...counts].map(([id, count]) => [id, count / total]));
}

function blend(high: Map<number, number>, share: number, low: Map<number, number>): Map<number, number> {
  const out = new Map<number, number>();
  for (const [id, p] of high) out.set(id, p * share);
  for (const [id, p] of low) out.set(id, (out.get(id) ?? 0) + p * (1 - share));
  return out;
}

function sparse(probabilities: Map<number, number>): Sparse {
  const sorted = [...probabilities].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return { ids: Int32Array.from(sorted, ([id]) => id), p: Float64Array.from(sorted, ([, p]) => p) };
}
