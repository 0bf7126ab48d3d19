import type { Budget } from '../budget.ts';
import { GrammarError } from '../errors.ts';
import type { Pattern } from '../pattern/pattern.ts';
import type { CharSet } from './char-set.ts';
import { countCopies } from './count-copies.ts';
import { byteGraph, utf8Sequences } from './utf8.ts';
import type { ByteGraph, ByteSequence } from './utf8.ts';

/**
 * A nondeterministic automaton over bytes. The edges of each state are a linked list in flat arrays: most states have one edge, and
 * objects for thousands of them would dominate the cost.
 */
export type Nfa = {
  start: number;
  end: number;
  /** The last edge of each state, or -1. */
  lastEdge: number[];
  previousEdge: number[];
  edgeLow: number[];
  edgeHigh: number[];
  edgeTo: number[];
  /** The last epsilon edge of each state, or -1. */
  lastEpsilon: number[];
  previousEpsilon: number[];
  epsilonTo: number[];
  /** `ALWAYS`, `AT_START` or `AT_END` of the text. */
  epsilonCondition: number[];
};

/** When an epsilon edge applies. Bits that can be combined. */
export const ALWAYS = 1;
export const AT_START = 2;
export const AT_END = 4;

/** Encodes a set of code points as byte sequences: in plain UTF-8, or as characters within a JSON string. */
export type Encoding = (set: CharSet) => readonly ByteSequence[];

/** An automaton with only a start state and an end state. */
export function createNfa(budget: Budget): Nfa {
  const nfa: Nfa = {
    start: 0,
    end: 1,
    lastEdge: [],
    previousEdge: [],
    edgeLow: [],
    edgeHigh: [],
    edgeTo: [],
    lastEpsilon: [],
    previousEpsilon: [],
    epsilonTo: [],
    epsilonCondition: [],
  };
  addState(nfa, budget);
  addState(nfa, budget);
  return nfa;
}

export function addState(nfa: Nfa, budget: Budget): number {
  budget.addStates(1);
  nfa.lastEpsilon.push(-1);
  return nfa.lastEdge.push(-1) - 1;
}

export function addEdge(nfa: Nfa, from: number, low: number, high: number, to: number): void {
  nfa.previousEdge.push(nfa.lastEdge[from] ?? -1);
  nfa.edgeLow.push(low);
  nfa.edgeHigh.push(high);
  nfa.lastEdge[from] = nfa.edgeTo.push(to) - 1;
}

export function addEpsilon(nfa: Nfa, from: number, to: number, condition = ALWAYS): void {
  nfa.previousEpsilon.push(nfa.lastEpsilon[from] ?? -1);
  nfa.epsilonCondition.push(condition);
  nfa.lastEpsilon[from] = nfa.epsilonTo.push(to) - 1;
}

/** Cached byte graphs by encoding and set: large character classes recur. */
const graphs = new WeakMap<Encoding, WeakMap<CharSet, ByteGraph>>();

function graphOf(set: CharSet, encoding: Encoding): ByteGraph {
  let graphsOfEncoding = graphs.get(encoding);
  if (graphsOfEncoding === undefined) graphs.set(encoding, (graphsOfEncoding = new WeakMap()));
  let graph = graphsOfEncoding.get(set);
  if (graph === undefined) graphsOfEncoding.set(set, (graph = byteGraph(encoding(set))));
  return graph;
}

export function buildNfa(pattern: Pattern, budget: Budget, encoding: Encoding = utf8Sequences): Nfa {
  assertCopyLimit(pattern);
  const nfa = createNfa(budget);
  const charged = new Set<CharSet>();
  const state = (): number => addState(nfa, budget);

  const addSet = (set: CharSet, from: number, to: number): void => {
    const [low = 0, high = 0] = set;
    // Most sets are a single ASCII character or range with the same bytes in all encodings.
    if (set.length === 2 && low > 0x22 && high <= 0x7f && (low > 0x5c || high < 0x5c)) {
      addEdge(nfa, from, low, high, to);
      return;
    }
    const graph = graphOf(set, encoding);
    if (!charged.has(set)) {
      charged.add(set);
      // Building a class of many ranges costs several times as much as its states.
      budget.addWork(graph.length * 4 + set.length * 4);
    }
    const copies = graph.map((_, node) => (node === graph.length - 1 ? from : state()));
    graph.forEach((edges, node) => {
      const copy = copies[node] ?? from;
      for (const { low, high, next } of edges)
        addEdge(nfa, copy, low, high, next === undefined ? to : (copies[next] ?? to));
    });
  };

  const add = (item: Pattern, from: number, to: number): void => {
    switch (item.kind) {
      case 'set':
        addSet(item.set, from, to);
        return;
      case 'start':
        addEpsilon(nfa, from, to, AT_START);
        return;
      case 'end':
        addEpsilon(nfa, from, to, AT_END);
        return;
      case 'alt':
        for (const alternative of item.items) {
          const inner = state();
          addEpsilon(nfa, from, inner);
          add(alternative, inner, to);
        }
        return;
      case 'seq': {
        let current = from;
        item.items.forEach((part, index) => {
          const next = index === item.items.length - 1 ? to : state();
          add(part, current, next);
          current = next;
        });
        if (item.items.length === 0) addEpsilon(nfa, from, to);
        return;
      }
      case 'repeat':
        addRepetition(item.item, item.min, item.max, from, to);
    }
  };

  const addRepetition = (item: Pattern, min: number, max: number, from: number, to: number): void => {
    let current = from;
    for (let i = 0; i < min; i++) {
      const next = state();
      add(item, current, next);
      current = next;
    }
    if (max === Infinity) {
      const loop = state();
      addEpsilon(nfa, current, loop);
      add(item, loop, loop);
      addEpsilon(nfa, loop, to);
      return;
    }
    for (let i = min; i < max; i++) {
      const next = state();
      addEpsilon(nfa, current, to);
      add(item, current, next);
      current = next;
    }
    addEpsilon(nfa, current, to);
  };

  add(pattern, nfa.start, nfa.end);
  return nfa;
}

const MAX_COPIES = 200_000;

function assertCopyLimit(pattern: Pattern): void {
  if (countCopies(pattern) > MAX_COPIES) {
    throw new GrammarError('limit', 'nested repetition counts exceed the limit: use smaller counts, or * or +');
  }
}
