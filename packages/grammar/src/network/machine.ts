import type { Budget } from '../budget.ts';
import { GrammarError } from '../errors.ts';
import type { CallWay, Network, TokenWay } from './build.ts';
import { pointAt } from './build.ts';
import { leftSide, reachSome } from './left-recursion.ts';

/** What a point leads to before the next byte. */
export type Entry = {
  tokens: readonly TokenWay[];
  calls: readonly CallWay[];
  /** Further points that are reached without a byte, if they are too many for one entry. */
  rest: readonly number[];
  /** The rule can end here. */
  final: boolean;
};

/** A grammar ready to run: no rule is left-recursive, and every entry can reach an end. */
export type Machine = {
  /** What a point leads to; computed on demand. */
  entry(point: number): Entry;
  /** The rule must end at this point: a call before it is a tail call. */
  isTail(point: number): boolean;
  /** The fewest bytes from a point to the end of its rule. */
  cost(point: number): number;
  /** The number of points. */
  points: number;
  /** The start point of each rule. */
  ruleStarts: readonly number[];
  start: number;
};

/**
 * Maximum points of one entry. Otherwise a thousand consecutive optional words would have entries of a thousand points each.
 */
const MAX_POINTS = 32;

/** What cannot end within this number of bytes is removed, as if it could not end at all. */
const MAX_TEXT = 250_000;

/** The network without empty steps, and without what can never end. */
export function createMachine(network: Network, budget: Budget): Machine {
  const { costs, ruleCosts } = measure(network, budget);
  const startBody = network.rules[network.startRule];
  if (startBody === undefined || !Number.isFinite(ruleCosts[network.startRule] ?? Infinity)) {
    throw new GrammarError(
      'empty',
      'no matching text ends within 250,000 bytes; add an end to the recursion, or reduce the minimum',
    );
  }
  const { nullable } = leftSide(network, budget);
  const ends = new Uint8Array(network.points.length);
  for (const { end } of network.rules) ends[end] = 1;
  const useful = (to: number): boolean => Number.isFinite(costs[to] ?? Infinity);
  const entries: (Entry | undefined)[] = [];
  const tails: (boolean | undefined)[] = [];

  const isCalled = ({ rule, to }: CallWay): boolean => useful(to) && Number.isFinite(ruleCosts[rule] ?? Infinity);

  const createEntry = (from: number): Entry => {
    const { reached, rest } = reachSome(network, from, (rule) => nullable.has(rule), MAX_POINTS);
    const tokens: TokenWay[] = [];
    const calls: CallWay[] = [];
    let final = false;
    for (const index of reached) {
      const point = pointAt(network, index);
      for (const way of point.tokens) if (useful(way.to)) tokens.push(way);
      for (const way of point.calls) if (isCalled(way)) calls.push(way);
      if (ends[index] === 1) final = true;
    }
    return { tokens: once(tokens, ({ dfa }) => dfa), calls: once(calls, ({ rule }) => rule), rest, final };
  };
  /** Usually answered by the point itself, without an entry. */
  const findTail = (from: number): boolean => {
    const point = pointAt(network, from);
    if (point.tokens.some(({ to }) => useful(to)) || point.calls.some(isCalled)) return false;
    if (point.empty.length + point.calls.length === 0) return ends[from] === 1;
    const { tokens, calls, rest, final } = (entries[from] ??= createEntry(from));
    return final && tokens.length + calls.length + rest.length === 0;
  };
  const ruleStarts = network.rules.map(({ start }) => start);
  return {
    entry: (point) => (entries[point] ??= createEntry(point)),
    isTail: (point) => (tails[point] ??= findTail(point)),
    cost: (point) => costs[point] ?? 0,
    points: network.points.length,
    ruleStarts,
    start: ruleStarts[network.startRule] ?? 0,
  };
}

/** Duplicate edges count once. */
function once<Way extends { to: number }>(ways: Way[], through: (way: Way) => unknown): Way[] {
  if (ways.length < 2) return ways;
  const known = new Map<unknown, Set<number>>();
  return ways.filter((way) => {
    const what = through(way);
    const ends = known.get(what);
    if (ends?.has(way.to)) return false;
    if (ends) ends.add(way.to);
    else known.set(what, new Set([way.to]));
    return true;
  });
}

/** The fewest bytes from each point to the end of its rule, and of each rule; infinite without an end. */
function measure(network: Network, budget: Budget): { costs: Float64Array; ruleCosts: Float64Array } {
  const { points, rules } = network;
  const costs = new Float64Array(points.length).fill(Infinity);
  const ruleCosts = new Float64Array(rules.length).fill(Infinity);
  // The incoming edges of each point as linked lists: the source, and a number of bytes or a call between.
  const last = new Int32Array(points.length).fill(-1);
  const before: number[] = [];
  const froms: number[] = [];
  const bytes: number[] = [];
  const called: number[] = [];
  // In the same way the calls of each rule, as edges to the points after them.
  const lastCall = new Int32Array(rules.length).fill(-1);
  const callBefore: number[] = [];
  const callFrom: number[] = [];
  const callTo: number[] = [];
  const way = (from: number, to: number, length: number, rule: number): void => {
    before.push(last[to] ?? -1);
    froms.push(from);
    bytes.push(length);
    last[to] = called.push(rule) - 1;
  };
  points.forEach((point, from) => {
    budget.work(2 + 2 * (point.empty.length + point.tokens.length + point.calls.length));
    for (const to of point.empty) way(from, to, 0, -1);
    for (const { dfa, to } of point.tokens) way(from, to, dfa.distance[0] ?? Infinity, -1);
    for (const { rule, to } of point.calls) {
      way(from, to, 0, rule);
      callBefore.push(lastCall[rule] ?? -1);
      callFrom.push(from);
      lastCall[rule] = callTo.push(to) - 1;
    }
  });
  const ruleAt = new Int32Array(points.length).fill(-1);
  rules.forEach(({ start }, rule) => (ruleAt[start] = rule));

  const queue: number[] = [];
  const lower = (index: number, cost: number): void => {
    if (cost >= (costs[index] ?? 0) || cost > MAX_TEXT) return;
    costs[index] = cost;
    queue.push(index);
  };
  for (const { end } of rules) lower(end, 0);
  for (const index of queue) {
    const cost = costs[index] ?? 0;
    for (let into = last[index] ?? -1; into >= 0; into = before[into] ?? -1) {
      const rule = called[into] ?? -1;
      lower(froms[into] ?? 0, cost + (bytes[into] ?? 0) + (rule < 0 ? 0 : (ruleCosts[rule] ?? Infinity)));
      budget.work(1);
    }
    const rule = ruleAt[index] ?? -1;
    if (rule < 0 || cost >= (ruleCosts[rule] ?? 0)) continue;
    ruleCosts[rule] = cost;
    for (let one = lastCall[rule] ?? -1; one >= 0; one = callBefore[one] ?? -1) {
      lower(callFrom[one] ?? 0, cost + (costs[callTo[one] ?? 0] ?? Infinity));
      budget.work(1);
    }
  }
  return { costs, ruleCosts };
}
