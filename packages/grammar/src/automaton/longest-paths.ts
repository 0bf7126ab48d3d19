import { predecessorsOf } from './dfa.ts';
import type { Dfa } from './dfa.ts';

/** The maximum number of bytes that can follow each state; `Infinity` if it can reach a cycle. */
export function longestPaths(dfa: Dfa): Float64Array {
  const { begins, sources } = predecessorsOf(dfa);
  const count = dfa.accepting.length;
  const longest = new Float64Array(count);
  /** The number of successors of each state whose maximum is not known yet. */
  const unresolved = new Int32Array(count);
  for (const source of sources) unresolved[source] = (unresolved[source] ?? 0) + 1;
  const resolved: number[] = [];
  for (let state = 0; state < count; state++) if (unresolved[state] === 0) resolved.push(state);
  for (const state of resolved) {
    for (let index = begins[state] ?? 0; index < (begins[state + 1] ?? 0); index++) {
      const source = sources[index] ?? 0;
      longest[source] = Math.max(longest[source] ?? 0, (longest[state] ?? 0) + 1);
      unresolved[source] = (unresolved[source] ?? 0) - 1;
      if (unresolved[source] === 0) resolved.push(source);
    }
  }
  for (let state = 0; state < count; state++) if ((unresolved[state] ?? 0) > 0) longest[state] = Infinity;
  return longest;
}
