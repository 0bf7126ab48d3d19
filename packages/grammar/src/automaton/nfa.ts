import type { Budget } from '../budget.ts';
import { GrammarError } from '../errors.ts';
import type { Pattern } from '../pattern/pattern.ts';
import type { CharSet } from './char-set.ts';
import { byteGraph, utf8Sequences } from './utf8.ts';
import type { ByteGraph, ByteSequence } from './utf8.ts';

/**
 * A nondeterministic byte automaton. Its edges are linked lists in flat arrays: thousands of states mostly have one edge each,
 * and objects for them would cost more than everything else.
 */
export type Nfa = {
  start: number;
  end: number;
  /** The last edge of each state, or -1. */
  edges: number[];
  edgeBefore: number[];
  edgeLow: number[];
  edgeHigh: number[];
  edgeTo: number[];
  /** The last empty edge of each state, or -1. */
  empties: number[];
  emptyBefore: number[];
  emptyTo: number[];
  /** `ALWAYS`, `AT_START` or `AT_END` of the text. */
  emptyWhen: number[];
};

/** When an empty edge applies; bits, so that several can be combined. */
export const ALWAYS = 1;
export const AT_START = 2;
export const AT_END = 4;

/** How a set of code points is encoded in bytes: plain UTF-8, or as characters within a JSON string. */
export type Encoding = (set: CharSet) => readonly ByteSequence[];

/** An automaton of a start, an end, and no edges between them. */
export function createNfa(budget: Budget): Nfa {
  const nfa: Nfa = {
    start: 0,
    end: 1,
    edges: [],
    edgeBefore: [],
    edgeLow: [],
    edgeHigh: [],
    edgeTo: [],
    empties: [],
    emptyBefore: [],
    emptyTo: [],
    emptyWhen: [],
  };
  addState(nfa, budget);
  addState(nfa, budget);
  return nfa;
}

export function addState(nfa: Nfa, budget: Budget): number {
  budget.states(1);
  nfa.empties.push(-1);
  return nfa.edges.push(-1) - 1;
}

export function addEdge(nfa: Nfa, from: number, low: number, high: number, to: number): void {
  nfa.edgeBefore.push(nfa.edges[from] ?? -1);
  nfa.edgeLow.push(low);
  nfa.edgeHigh.push(high);
  nfa.edges[from] = nfa.edgeTo.push(to) - 1;
}

export function addEmpty(nfa: Nfa, from: number, to: number, when = ALWAYS): void {
  nfa.emptyBefore.push(nfa.empties[from] ?? -1);
  nfa.emptyWhen.push(when);
  nfa.empties[from] = nfa.emptyTo.push(to) - 1;
}

/** Cached graphs of sets by encoding: classes of thousands of characters recur. */
const graphs = new WeakMap<Encoding, WeakMap<CharSet, ByteGraph>>();

function graphOf(set: CharSet, encoding: Encoding): ByteGraph {
  let known = graphs.get(encoding);
  if (known === undefined) graphs.set(encoding, (known = new WeakMap()));
  let graph = known.get(set);
  if (graph === undefined) known.set(set, (graph = byteGraph(encoding(set))));
  return graph;
}

export function buildNfa(pattern: Pattern, budget: Budget, encoding: Encoding = utf8Sequences): Nfa {
  refuseHuge(pattern);
  const nfa = createNfa(budget);
  const charged = new Set<CharSet>();
  const state = (): number => addState(nfa, budget);

  const addSet = (set: CharSet, from: number, to: number): void => {
    const [low = 0, high = 0] = set;
    // Most sets are a single character or range with the same encoding everywhere.
    if (set.length === 2 && low > 0x22 && high <= 0x7f && (low > 0x5c || high < 0x5c)) {
      addEdge(nfa, from, low, high, to);
      return;
    }
    const graph = graphOf(set, encoding);
    if (!charged.has(set)) {
      charged.add(set);
      // Building a class of many ranges costs several times its states.
      budget.work(graph.length * 4 + set.length * 4);
    }
    const copies = graph.map((_, node) => (node === graph.length - 1 ? from : state()));
    graph.forEach((edges, node) => {
      const own = copies[node] ?? from;
      for (const { low, high, next } of edges)
        addEdge(nfa, own, low, high, next === undefined ? to : (copies[next] ?? to));
    });
  };

  const add = (item: Pattern, from: number, to: number): void => {
    switch (item.kind) {
      case 'set':
        addSet(item.set, from, to);
        return;
      case 'start':
        addEmpty(nfa, from, to, AT_START);
        return;
      case 'end':
        addEmpty(nfa, from, to, AT_END);
        return;
      case 'alt':
        for (const choice of item.items) {
          const inner = state();
          addEmpty(nfa, from, inner);
          add(choice, inner, to);
        }
        return;
      case 'seq': {
        let current = from;
        item.items.forEach((part, index) => {
          const next = index === item.items.length - 1 ? to : state();
          add(part, current, next);
          current = next;
        });
        if (item.items.length === 0) addEmpty(nfa, from, to);
        return;
      }
      case 'repeat':
        addRepeat(item.item, item.min, item.max, from, to);
    }
  };

  const addRepeat = (item: Pattern, min: number, max: number, from: number, to: number): void => {
    let current = from;
    for (let i = 0; i < min; i++) {
      const next = state();
      add(item, current, next);
      current = next;
    }
    if (max === Infinity) {
      const loop = state();
      addEmpty(nfa, current, loop);
      add(item, loop, loop);
      addEmpty(nfa, loop, to);
      return;
    }
    for (let i = min; i < max; i++) {
      const next = state();
      addEmpty(nfa, current, to);
      add(item, current, next);
      current = next;
    }
    addEmpty(nfa, current, to);
  };

  add(pattern, nfa.start, nfa.end);
  return nfa;
}

const MAX_COPIES = 200_000;

/** Nested counts multiply: checked before anything is built, so that `(a{1000}){1000}` costs nothing. */
function refuseHuge(pattern: Pattern): void {
  // Parts can be shared: each is counted once.
  const known = new Map<Pattern, number>();
  const copies = (item: Pattern): number => {
    let count = known.get(item);
    if (count === undefined) {
      count = countOf(item);
      known.set(item, count);
    }
    return count;
  };
  const countOf = (item: Pattern): number => {
    switch (item.kind) {
      case 'seq':
      case 'alt':
        return item.items.reduce((sum, part) => sum + copies(part), 1);
      case 'repeat':
        return copies(item.item) * Math.max(item.max === Infinity ? item.min + 1 : item.max, 1);
      default:
        return 1;
    }
  };
  if (copies(pattern) > MAX_COPIES) {
    throw new GrammarError('limit', 'nested repetition counts exceed the limit: use smaller counts, or * or +');
  }
}
