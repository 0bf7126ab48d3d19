import type { Budget } from '../budget.ts';
import { GrammarError } from '../errors.ts';
import type { CallTransition, Network } from './build.ts';
import { pointAt } from './build.ts';
import { leftmostCalls, epsilonReachable } from './left-recursion.ts';
import { shortestPaths } from './shortest-paths.ts';
import type { CallEdge, Entry, Position, TerminalEdge } from './position.ts';
import { createUnorderedPositions } from './unordered-positions.ts';
import { unorderedCosts } from './unordered.ts';

/** A grammar that is ready to be matched: no rule is left-recursive, and every entry can reach an end. */
export type Machine = {
  start: Position;
  /** The number of terminal edges of all rules. */
  readonly terminalEdges: number;
  /** The start of each rule. */
  ruleStart(rule: number): Position;
  /** The number of positions created at run time since `clearCache`. */
  runtimePositions(): number;
  /** Drops positions created at run time that no state references, and the returns to all positions. */
  clearCache(): void;
};

/** Maximum number of points of an entry. Without it, a thousand consecutive optional words would have a thousand entries of that size. */
const MAX_POINTS = 32;

/** Removes epsilon transitions, and transitions from which no end can be reached. @throws GrammarError if no text matches. */
export function createMachine(network: Network, budget: Budget): Machine {
  const { costs, ruleCosts } = shortestPaths(network, budget);
  const startBody = network.rules[network.startRule];
  if (startBody === undefined || !Number.isFinite(ruleCosts[network.startRule] ?? Infinity)) {
    throw new GrammarError(
      'empty',
      'no text of at most 250,000 bytes matches; add a case that ends the recursion, or reduce the minimum',
    );
  }
  const { nullable } = leftmostCalls(network, budget);
  const ends = new Uint8Array(network.points.length);
  for (const { end } of network.rules) ends[end] = 1;
  const canReachEnd = (to: number): boolean => Number.isFinite(costs[to] ?? Infinity);
  const positions: (PointPosition | undefined)[] = [];
  /** The points whose entries lead to positions created at run time. */
  let listStarts: number[] = [];
  let lastId = network.points.length;
  const unordered = createUnorderedPositions(() => ++lastId);

  const isCalled = ({ rule, to }: CallTransition): boolean =>
    canReachEnd(to) && Number.isFinite(ruleCosts[rule] ?? Infinity);

  const createEntry = (from: number): Entry => {
    const { reached, rest } = epsilonReachable(network, from, (rule) => nullable.has(rule), MAX_POINTS);
    const terminals: TerminalEdge[] = [];
    const calls: CallEdge[] = [];
    let final = false;
    for (const index of reached) {
      const point = pointAt(network, index);
      for (const { terminal, to } of point.terminals)
        if (canReachEnd(to)) terminals.push({ dfa: terminal.dfa, to: positionAt(to) });
      for (const transition of point.calls)
        if (isCalled(transition)) calls.push({ rule: transition.rule, to: positionAt(transition.to) });
      for (const transition of point.unordered) {
        const costs = unorderedCosts(transition, ruleCosts);
        if (!canReachEnd(transition.to) || costs.rest(costs.start) === Infinity) continue;
        const first = unordered.start(transition, costs, positionAt(transition.to));
        listStarts.push(from);
        terminals.push(...first.terminals);
        calls.push(...first.calls);
      }
      if (ends[index] === 1) final = true;
    }
    return {
      terminals: withoutDuplicates(terminals, ({ dfa }) => dfa),
      calls: withoutDuplicates(calls, ({ rule }) => rule),
      rest: rest.map(positionAt),
      final,
    };
  };
  /** Whether a rule must end at a point. Usually known from the point itself, without creating its entry. */
  const findTail = (from: number): boolean => {
    const point = pointAt(network, from);
    if (point.terminals.some(({ to }) => canReachEnd(to)) || point.calls.some(isCalled) || point.unordered.length > 0)
      return false;
    if (point.epsilon.length + point.calls.length === 0) return ends[from] === 1;
    const { terminals, calls, rest, final } = positionAt(from).entry();
    return final && terminals.length + calls.length + rest.length === 0;
  };
  const positionAt = (point: number): PointPosition =>
    (positions[point] ??= new PointPosition(point, costs[point] ?? 0, createEntry, findTail));
  return {
    start: positionAt(startBody.start),
    terminalEdges: countTerminalEdges(network),
    ruleStart: (rule) => positionAt(network.rules[rule]?.start ?? 0),
    runtimePositions: unordered.count,
    clearCache() {
      unordered.clearCache();
      for (const point of listStarts) positions[point]?.clearEntry();
      listStarts = [];
      for (const position of positions) if (position) position.firstReturn = undefined;
    },
  };
}

function countTerminalEdges({ points }: Network): number {
  let count = 0;
  for (const { terminals, unordered } of points) {
    count += terminals.length;
    for (const { items } of unordered) count += items.length + 1;
  }
  return count;
}

/** Removes edges with the same label and target as an earlier one. */
function withoutDuplicates<Edge extends { readonly to: Position }>(
  edges: Edge[],
  labelOf: (edge: Edge) => unknown,
): Edge[] {
  if (edges.length < 2) return edges;
  const targetsByLabel = new Map<unknown, Set<Position>>();
  return edges.filter((edge) => {
    const label = labelOf(edge);
    const targets = targetsByLabel.get(label);
    if (targets?.has(edge.to)) return false;
    if (targets) targets.add(edge.to);
    else targetsByLabel.set(label, new Set([edge.to]));
    return true;
  });
}

/** The position of a point of the network. */
class PointPosition implements Position {
  readonly id: number;
  readonly cost: number;
  calls = 0;
  callsStep = -1;
  firstReturn: object | undefined;
  readonly #createEntry: (point: number) => Entry;
  readonly #findTail: (point: number) => boolean;
  #entry: Entry | undefined;
  #isTail: boolean | undefined;

  constructor(
    point: number,
    cost: number,
    createEntry: (point: number) => Entry,
    findTail: (point: number) => boolean,
  ) {
    this.id = point;
    this.cost = cost;
    this.#createEntry = createEntry;
    this.#findTail = findTail;
  }

  entry(): Entry {
    return (this.#entry ??= this.#createEntry(this.id));
  }

  clearEntry(): void {
    this.#entry = undefined;
  }

  isTail(): boolean {
    return (this.#isTail ??= this.#findTail(this.id));
  }
}
