import { countCopies } from '../automaton/count-copies.ts';
import type { Budget } from '../budget.ts';
import { GrammarError } from '../errors.ts';
import type { Node, Terminal, UnorderedNode } from './node.ts';
import type { UnorderedTransition } from './unordered.ts';

/** A state of a rule, with its transitions: empty ones, and those that consume a terminal, a call of a rule or an unordered list. */
export type Point = {
  epsilon: number[];
  terminals: TerminalTransition[];
  calls: CallTransition[];
  unordered: UnorderedTransition[];
};
export type TerminalTransition = { terminal: Terminal; to: number };
export type CallTransition = { rule: number; to: number };

type RuleBody = { name: string; start: number; end: number };

/** A recursive transition network: the rules as one graph of points. */
export type Network = { points: Point[]; rules: RuleBody[]; startRule: number };

export type RuleDefinition = { name: string; node: Node };

const MAX_COPIES = 100_000;
/** The cost of a point in steps of work. */
const POINT_WORK = 15;

export function buildNetwork(drafts: readonly RuleDefinition[], startRule: number, budget: Budget): Network {
  const points: Point[] = [];
  const network: Network = { points, rules: [], startRule };
  for (const { name, node } of drafts) {
    if (countCopies(node) > MAX_COPIES) {
      throw new GrammarError(
        'limit',
        `${name}: nested repetitions expand to more than ${MAX_COPIES} parts; use fewer repetitions, or smaller counts`,
      );
    }
    const start = newPoint(network, budget);
    const end = newPoint(network, budget);
    network.rules.push({ name, start, end });
    addNode(network, budget, node, start, end);
  }
  return network;
}

export function newPoint(network: Network, budget: Budget): number {
  budget.addWork(POINT_WORK);
  return network.points.push({ epsilon: NONE, terminals: NONE, calls: NONE, unordered: NONE }) - 1;
}

/** Shared by points without successors; never modified. */
const NONE: never[] = [];
const FEW = 4;

/** Appends to short lists by copying: most points have one successor, and an array that grows by `push` reserves memory for a dozen. */
function withAppended<Item>(list: Item[], item: Item): Item[] {
  if (list.length < FEW) return [...list, item];
  list.push(item);
  return list;
}

export function addEpsilon(point: Point, to: number): void {
  point.epsilon = withAppended(point.epsilon, to);
}

export function addTerminal(point: Point, transition: TerminalTransition): void {
  point.terminals = withAppended(point.terminals, transition);
}

export function addCall(point: Point, rule: number, to: number): void {
  point.calls = withAppended(point.calls, { rule, to });
}

export function addUnordered(point: Point, transition: UnorderedTransition): void {
  point.unordered = withAppended(point.unordered, transition);
}

export function pointAt(network: Network, index: number): Point {
  const point = network.points[index];
  if (point === undefined) throw new RangeError('unknown point');
  return point;
}

function addNode(network: Network, budget: Budget, node: Node, from: number, to: number): void {
  const link = (a: number, b: number): void => {
    addEpsilon(pointAt(network, a), b);
  };
  switch (node.kind) {
    case 'terminal': {
      const { source } = node;
      if (source.nullable) link(from, to);
      if (source.minBytes >= 0) addTerminal(pointAt(network, from), { terminal: source, to });
      return;
    }
    case 'rule':
      addCall(pointAt(network, from), node.rule, to);
      return;
    case 'unordered':
      addUnordered(pointAt(network, from), unorderedTransition(node, to, budget));
      return;
    case 'alt':
      for (const item of node.items) addNode(network, budget, item, from, to);
      return;
    case 'seq': {
      let current = from;
      node.items.forEach((item, index) => {
        const next = index === node.items.length - 1 ? to : newPoint(network, budget);
        addNode(network, budget, item, current, next);
        current = next;
      });
      if (node.items.length === 0) link(from, to);
      return;
    }
    case 'repeat': {
      let current = from;
      const addCopy = (): void => {
        const next = newPoint(network, budget);
        addNode(network, budget, node.item, current, next);
        current = next;
      };
      for (let i = 0; i < node.min; i++) addCopy();
      if (node.max === Infinity) {
        const loop = newPoint(network, budget);
        const afterItem = newPoint(network, budget);
        link(current, loop);
        addNode(network, budget, node.item, loop, afterItem);
        link(afterItem, loop);
        link(loop, to);
        return;
      }
      for (let i = node.min; i < node.max; i++) {
        link(current, to);
        addCopy();
      }
      link(current, to);
    }
  }
}

/** The cost of an item of an unordered list in steps of work. */
const ITEM_WORK = 30;

function unorderedTransition(
  { items, others, min, max, end }: UnorderedNode,
  to: number,
  budget: Budget,
): UnorderedTransition {
  budget.addWork(ITEM_WORK * items.length);
  return {
    ...{ min, max, end, to },
    items: items.map(({ first, next, value, isRequired }) => ({
      ...{ first, next, isRequired },
      value: value && (value.kind === 'terminal' ? { terminal: value.source } : { rule: ruleOf(value) }),
    })),
    others: others && { first: ruleOf(others.first), next: ruleOf(others.next) },
  };
}

function ruleOf(node: Node): number {
  if (node.kind === 'rule') return node.rule;
  throw new RangeError('an item of an unordered list must be a terminal or a rule');
}
