import type { Budget } from '../budget.ts';
import { ALWAYS, AT_END, AT_START } from './nfa.ts';
import type { Nfa } from './nfa.ts';

/** Numbers sets of states of a nondeterministic automaton in order of insertion. */
export type StateSets = {
  /** Adds the start set as number 0; must be called first. `nullable` tells whether the empty text matches. */
  addStart(): { nullable: boolean };
  /** The number of the epsilon closure of the first `count` states of a list; a new set gets the next number. */
  closureOf(from: readonly number[], count: number): number;
  /** Whether a set contains an accepting state. */
  isAccepting(set: number): boolean;
  /** The index of the first member of a set. Its members end before those of the next set. */
  begin(set: number): number;
  member(index: number): number;
};

/**
 * All sets are stored in one array and found by a hash that does not depend on the order of their members; sets with equal hashes are
 * compared member by member. Sorting or serializing sets would dominate the cost.
 */
export function createSets(nfa: Nfa, budget: Budget): StateSets {
  const { lastEdge, lastEpsilon, previousEpsilon, epsilonTo, epsilonCondition } = nfa;
  const visitedInRound = new Int32Array(lastEdge.length);
  const memberInRound = new Int32Array(lastEdge.length);
  const closure = new Int32Array(lastEdge.length);
  /** The number of the closure of each single state: most transitions have one target. */
  const setOfTarget = new Int32Array(lastEdge.length).fill(-1);
  const stack: number[] = [];
  let round = 0;
  let size = 0;
  let sum = 0;
  let hasEnd = false;
  let hasAtEnd = false;

  let members = new Int32Array(1024);
  const begins: number[] = [0];
  const sums: number[] = [];
  const accepting: boolean[] = [];
  /** The last set of each hash bucket, and for each set the previous one in its bucket. */
  let buckets = new Int32Array(256).fill(-1);
  const previousInBucket: number[] = [];

  /** Computes the closure over the epsilon edges that `conditions` allow. It contains only states that have other edges or accept. */
  const close = (from: ArrayLike<number>, first: number, last: number, conditions: number): void => {
    round++;
    size = 0;
    sum = 0;
    hasEnd = false;
    hasAtEnd = false;
    let visited = 0;
    for (let at = first; at < last; at++) {
      const index = from[at] ?? 0;
      if (visitedInRound[index] === round) continue;
      visitedInRound[index] = round;
      stack.push(index);
    }
    for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
      visited++;
      let isRelevant = (lastEdge[index] ?? -1) >= 0;
      if (index === nfa.end) isRelevant = hasEnd = true;
      for (let epsilon = lastEpsilon[index] ?? -1; epsilon >= 0; epsilon = previousEpsilon[epsilon] ?? -1) {
        const condition = epsilonCondition[epsilon] ?? 0;
        if (condition === AT_END) isRelevant = hasAtEnd = true;
        const next = epsilonTo[epsilon] ?? 0;
        if ((condition & conditions) === 0 || visitedInRound[next] === round) continue;
        visitedInRound[next] = round;
        stack.push(next);
      }
      if (!isRelevant) continue;
      closure[size++] = index;
      memberInRound[index] = round;
      const mixed = Math.imul(index + 1, 0x9e3779b1);
      sum = (sum + Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b)) | 0;
    }
    budget.addWork(visited + size + (last - first) + 1);
  };

  const bucketOf = (of: number): number => (of ^ (of >>> 16)) & (buckets.length - 1);
  const insert = (set: number): void => {
    const bucket = bucketOf(sums[set] ?? 0);
    previousInBucket[set] = buckets[bucket] ?? -1;
    buckets[bucket] = set;
  };

  /** Stores the current closure as a new set and returns its number. */
  const store = (): number => {
    const begin = begins[sums.length] ?? 0;
    if (members.length < begin + size) {
      const larger = new Int32Array(Math.max(members.length * 2, begin + size));
      larger.set(members);
      members = larger;
    }
    members.set(closure.subarray(0, size), begin);
    begins.push(begin + size);
    const set = sums.push(sum) - 1;
    let accepts = hasEnd;
    if (!hasEnd && hasAtEnd) {
      close(members, begin, begin + size, ALWAYS | AT_END);
      accepts = hasEnd;
    }
    accepting.push(accepts);
    return set;
  };

  const find = (): number => {
    for (let set = buckets[bucketOf(sum)] ?? -1; set >= 0; set = previousInBucket[set] ?? -1) {
      const begin = begins[set] ?? 0;
      if (sums[set] !== sum || (begins[set + 1] ?? 0) - begin !== size) continue;
      budget.addWork(size);
      let at = begin;
      while (at < begin + size && memberInRound[members[at] ?? 0] === round) at++;
      if (at === begin + size) return set;
    }
    return -1;
  };

  return {
    addStart() {
      close([nfa.start], 0, 1, ALWAYS | AT_START | AT_END);
      const nullable = hasEnd;
      close([nfa.start], 0, 1, ALWAYS | AT_START);
      // Not inserted into a bucket: no transition may lead back to the start, even if another set has the same members.
      store();
      return { nullable };
    },
    closureOf(from, count) {
      const [only = 0] = from;
      if (count === 1 && (setOfTarget[only] ?? -1) >= 0) return setOfTarget[only] ?? 0;
      close(from, 0, count, ALWAYS);
      let set = find();
      if (set < 0) {
        set = store();
        if (sums.length > buckets.length) {
          buckets = new Int32Array(buckets.length * 4).fill(-1);
          for (let each = 1; each < set; each++) insert(each);
        }
        insert(set);
      }
      if (count === 1) setOfTarget[only] = set;
      return set;
    },
    isAccepting: (set) => accepting[set] ?? false,
    begin: (set) => begins[set] ?? 0,
    member: (index) => members[index] ?? 0,
  };
}
