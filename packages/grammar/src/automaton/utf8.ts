import type { CharSet } from './char-set.ts';

/** A sequence of byte ranges that encodes a range of code points. */
export type ByteSequence = readonly (readonly [low: number, high: number])[];

/** Byte sequences as a graph in which equal suffixes are shared. Each node precedes those that lead to it; the last one is the start. */
export type ByteGraph = readonly (readonly { low: number; high: number; next: number | undefined }[])[];

const LENGTH_ENDS = [0x7f, 0x7ff, 0xffff, 0x10ffff];

/** The UTF-8 encodings of all code points of a set. Sets contain no surrogates, so that no sequence encodes one. */
export function utf8Sequences(set: CharSet): ByteSequence[] {
  const out: ByteSequence[] = [];
  for (let i = 0; i < set.length; i += 2) split(set[i] ?? 0, set[i + 1] ?? 0, out);
  return out;
}

function split(from: number, to: number, out: ByteSequence[]): void {
  for (const end of LENGTH_ENDS) {
    if (from <= end && to > end) {
      split(from, end, out);
      split(end + 1, to, out);
      return;
    }
  }
  // After the first byte that differs, each range must cover all continuation bytes.
  for (let shift = 6; shift < 24 && to > 0x7f; shift += 6) {
    const mask = (1 << shift) - 1;
    if ((from & ~mask) === (to & ~mask)) continue;
    if ((from & mask) !== 0) {
      split(from, from | mask, out);
      split((from | mask) + 1, to, out);
      return;
    }
    if ((to & mask) !== mask) {
      split(from, (to & ~mask) - 1, out);
      split(to & ~mask, to, out);
      return;
    }
  }
  const low = bytesOf(from);
  const high = bytesOf(to);
  out.push(low.map((byte, index) => [byte, high[index] ?? byte]));
}

function bytesOf(point: number): number[] {
  if (point <= 0x7f) return [point];
  if (point <= 0x7ff) return [0xc0 | (point >> 6), 0x80 | (point & 0x3f)];
  if (point <= 0xffff) return [0xe0 | (point >> 12), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)];
  return [0xf0 | (point >> 18), 0x80 | ((point >> 12) & 0x3f), 0x80 | ((point >> 6) & 0x3f), 0x80 | (point & 0x3f)];
}

/**
 * Builds a graph that shares common prefixes and suffixes of sequences. At each position, the byte ranges of two sequences are equal or
 * disjoint, so that grouping by range is sufficient.
 */
export function byteGraph(sequences: readonly ByteSequence[]): ByteGraph {
  const nodes: { low: number; high: number; next: number | undefined }[][] = [];
  const known = new Map<string, number>();
  const build = (group: readonly ByteSequence[], at: number): number => {
    const byFirst = new Map<string, ByteSequence[]>();
    for (const sequence of group) {
      const [low, high] = sequence[at] ?? [0, 0];
      // Sequences that end here and those that continue stay separate.
      const key = `${low},${high},${sequence.length === at + 1 ? 1 : 0}`;
      const found = byFirst.get(key);
      if (found) found.push(sequence);
      else byFirst.set(key, [sequence]);
    }
    const edges = [...byFirst.values()].map((members) => {
      const [low, high] = members[0]?.[at] ?? [0, 0];
      return { low, high, next: members[0]?.length === at + 1 ? undefined : build(members, at + 1) };
    });
    // The start is never shared: no edge may lead to it.
    const key = at === 0 ? 'start' : edges.map(({ low, high, next }) => `${low},${high},${next ?? ''}`).join(' ');
    let node = known.get(key);
    if (node === undefined) {
      node = nodes.push(edges) - 1;
      known.set(key, node);
    }
    return node;
  };
  build(sequences, 0);
  return nodes;
}
