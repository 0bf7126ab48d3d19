import type { Budget } from '../budget.ts';
import { GrammarError } from '../errors.ts';
import type { Pattern } from '../pattern/pattern.ts';
import type { CharSet } from './char-set.ts';
import { byteGraph, utf8Sequences } from './utf8.ts';
import type { ByteGraph, ByteSequence } from './utf8.ts';

/** A state of a byte automaton with choices: `edges` are triples of low byte, high byte and target. */
export type NfaState = {
  edges: number[];
  empty: number[];
  /** Taken only at the start, or only at the end, of the text. */
  atStart: number[];
  atEnd: number[];
};

export type Nfa = { states: NfaState[]; start: number; end: number };

/** How a set of code points is written as bytes: plain UTF-8, or as characters within a JSON string. */
export type Encoding = (set: CharSet) => readonly ByteSequence[];

export function buildNfa(pattern: Pattern, budget: Budget, encoding: Encoding = utf8Sequences): Nfa {
  const states: NfaState[] = [];
  const graphs = new Map<CharSet, ByteGraph>();

  const state = (): number => {
    budget.states(1);
    return states.push({ edges: [], empty: [], atStart: [], atEnd: [] }) - 1;
  };
  const at = (index: number): NfaState => {
    const found = states[index];
    if (found === undefined) throw new RangeError('no such state');
    return found;
  };

  const addSet = (set: CharSet, from: number, to: number): void => {
    let graph = graphs.get(set);
    if (graph === undefined) {
      graph = byteGraph(encoding(set));
      graphs.set(set, graph);
      budget.work(graph.length * 4);
    }
    const copies = graph.map((_, node) => (node === graph.length - 1 ? from : state()));
    graph.forEach((edges, node) => {
      const own = at(copies[node] ?? from).edges;
      for (const { low, high, next } of edges) own.push(low, high, next === undefined ? to : (copies[next] ?? to));
    });
  };

  const add = (item: Pattern, from: number, to: number): void => {
    switch (item.kind) {
      case 'set':
        addSet(item.set, from, to);
        return;
      case 'start':
        at(from).atStart.push(to);
        return;
      case 'end':
        at(from).atEnd.push(to);
        return;
      case 'alt':
        for (const choice of item.items) {
          const inner = state();
          at(from).empty.push(inner);
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
        if (item.items.length === 0) at(from).empty.push(to);
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
      at(current).empty.push(loop);
      add(item, loop, loop);
      at(loop).empty.push(to);
      return;
    }
    for (let i = min; i < max; i++) {
      const next = state();
      at(current).empty.push(to);
      add(item, current, next);
      current = next;
    }
    at(current).empty.push(to);
  };

  refuseHuge(pattern);
  const start = state();
  const end = state();
  add(pattern, start, end);
  return { states, start, end };
}

const MAX_COPIES = 200_000;

/** Nested counts multiply: looked at before anything is built, so that `(a{1000}){1000}` costs nothing. */
function refuseHuge(pattern: Pattern): void {
  // Parts may be shared: each is counted once and then known.
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
    throw new GrammarError('limit', 'repetition counts multiply to more than the limit: use smaller counts, or * or +');
  }
}
