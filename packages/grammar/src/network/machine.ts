import type { Dfa } from '../automaton/dfa.ts';
import type { Budget } from '../budget.ts';
import { GrammarError } from '../errors.ts';
import type { Network } from './build.ts';
import { pointAt } from './build.ts';
import { nullableRules, reachEmpty } from './left-recursion.ts';

/** What a point leads to before the next byte. */
export type Entry = {
  tokens: readonly { dfa: Dfa; to: number }[];
  calls: readonly { rule: number; to: number }[];
  /** The rule may end here. */
  final: boolean;
  /** The rule can do nothing else but end here: a call before it is its last. */
  tail: boolean;
  /** The fewest bytes from here to the end of the rule. */
  cost: number;
};

/** A grammar ready to run: no rule calls itself on the left, and from every entry an end is in reach. */
export type Machine = {
  entries: readonly Entry[];
  /** The entry at which each rule starts. */
  ruleStarts: readonly number[];
  start: number;
};

/** The network without empty steps, and without what can never end. */
export function createMachine(network: Network, budget: Budget): Machine {
  const { costs, ruleCosts } = measure(network, budget);
  const startBody = network.rules[network.startRule];
  if (startBody === undefined || !Number.isFinite(ruleCosts[network.startRule] ?? Infinity)) {
    throw new GrammarError(
      'empty',
      `${startBody?.name ?? 'start'}: nothing that fits ever ends; give the recursion a way out`,
    );
  }
  const nullable = nullableRules(network, budget);
  const ends = new Set(network.rules.map(({ end }) => end));
  const ids = new Map<number, number>();
  const order: number[] = [];
  const id = (point: number): number => {
    let known = ids.get(point);
    if (known === undefined) {
      known = order.push(point) - 1;
      ids.set(point, known);
    }
    return known;
  };
  const useful = (to: number): boolean => Number.isFinite(costs[to] ?? Infinity);

  const ruleStarts = network.rules.map(({ start }) => id(start));
  const entries: Entry[] = [];
  for (let index = 0; index < order.length; index++) {
    const from = order[index] ?? 0;
    const reached = [...reachEmpty(network, from, (rule) => nullable.has(rule))];
    budget.work(reached.length);
    const points = reached.map((point) => pointAt(network, point));
    const tokens = points.flatMap((point) =>
      point.tokens.filter(({ to }) => useful(to)).map(({ dfa, to }) => ({ dfa, to: id(to) })),
    );
    const calls = points.flatMap((point) =>
      point.calls
        .filter(({ rule, to }) => useful(to) && Number.isFinite(ruleCosts[rule] ?? Infinity))
        .map(({ rule, to }) => ({ rule, to: id(to) })),
    );
    const final = reached.some((point) => ends.has(point));
    entries.push({ tokens, calls, final, tail: final && tokens.length + calls.length === 0, cost: costs[from] ?? 0 });
  }
  return { entries, ruleStarts, start: ruleStarts[network.startRule] ?? 0 };
}

/** The fewest bytes from each point to the end of its rule, and of each rule; infinite where there is no end. */
function measure(network: Network, budget: Budget): { costs: Float64Array; ruleCosts: Float64Array } {
  const costs = new Float64Array(network.points.length).fill(Infinity);
  const ruleCosts = new Float64Array(network.rules.length).fill(Infinity);
  const sources = new Map<number, Set<number>>();
  const callers = new Map<number, Set<number>>();
  const note = (map: Map<number, Set<number>>, key: number, value: number): void => {
    const found = map.get(key);
    if (found) found.add(value);
    else map.set(key, new Set([value]));
  };
  network.points.forEach((point, index) => {
    for (const to of point.empty) note(sources, to, index);
    for (const { to } of point.tokens) note(sources, to, index);
    for (const { rule, to } of point.calls) {
      note(sources, to, index);
      note(callers, rule, index);
    }
  });
  const rulesOf = new Map<number, number[]>();
  network.rules.forEach(({ start }, rule) => rulesOf.set(start, [...(rulesOf.get(start) ?? []), rule]));

  const queue: number[] = [];
  const lower = (index: number, cost: number): void => {
    if (cost >= (costs[index] ?? 0)) return;
    costs[index] = cost;
    queue.push(index);
  };
  for (const { end } of network.rules) lower(end, 0);
  for (let head = 0; head < queue.length; head++) {
    const index = queue[head] ?? 0;
    const changed = new Set(sources.get(index));
    for (const rule of rulesOf.get(index) ?? []) {
      if ((costs[index] ?? 0) >= (ruleCosts[rule] ?? 0)) continue;
      ruleCosts[rule] = costs[index] ?? 0;
      for (const caller of callers.get(rule) ?? []) changed.add(caller);
    }
    budget.work(changed.size + 1);
    for (const source of changed) lower(source, bestCost(network, source, costs, ruleCosts));
  }
  return { costs, ruleCosts };
}

function bestCost(network: Network, index: number, costs: Float64Array, ruleCosts: Float64Array): number {
  const { empty, tokens, calls } = pointAt(network, index);
  let best = Infinity;
  for (const to of empty) best = Math.min(best, costs[to] ?? Infinity);
  for (const { dfa, to } of tokens) best = Math.min(best, (dfa.distance[0] ?? Infinity) + (costs[to] ?? Infinity));
  for (const { rule, to } of calls) best = Math.min(best, (ruleCosts[rule] ?? Infinity) + (costs[to] ?? Infinity));
  return best;
}
