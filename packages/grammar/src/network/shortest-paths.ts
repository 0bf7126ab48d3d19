import type { Budget } from '../budget.ts';
import type { Network } from './build.ts';
import { unorderedCosts } from './unordered.ts';
import type { UnorderedTransition } from './unordered.ts';

/** Points from which the end is farther than this number of bytes are treated as if they could not reach it. */
const MAX_TEXT = 250_000;

/** The minimum number of bytes from each point to the end of its rule, and of each rule; `Infinity` if no end can be reached. */
export function shortestPaths(network: Network, budget: Budget): { costs: Float64Array; ruleCosts: Float64Array } {
  const { points, rules } = network;
  const costs = new Float64Array(points.length).fill(Infinity);
  const ruleCosts = new Float64Array(rules.length).fill(Infinity);
  // The incoming edges of each point as linked lists: the source, the number of bytes, and the called rule or -1.
  const lastEdge = new Int32Array(points.length).fill(-1);
  const previousEdge: number[] = [];
  const sources: number[] = [];
  const bytes: number[] = [];
  const called: number[] = [];
  // The calls of each rule as linked lists: the points before and after each call.
  const lastCall = new Int32Array(rules.length).fill(-1);
  const previousCall: number[] = [];
  const callFrom: number[] = [];
  const callTo: number[] = [];
  const addEdge = (from: number, to: number, length: number, rule: number): void => {
    previousEdge.push(lastEdge[to] ?? -1);
    sources.push(from);
    bytes.push(length);
    lastEdge[to] = called.push(rule) - 1;
  };
  points.forEach((point, from) => {
    budget.addWork(2 + 2 * (point.epsilon.length + point.terminals.length + point.calls.length));
    for (const to of point.epsilon) addEdge(from, to, 0, -1);
    for (const { terminal, to } of point.terminals) addEdge(from, to, terminal.minBytes, -1);
    for (const { rule, to } of point.calls) {
      addEdge(from, to, 0, rule);
      previousCall.push(lastCall[rule] ?? -1);
      callFrom.push(from);
      lastCall[rule] = callTo.push(to) - 1;
    }
  });
  const lists = unorderedLists(points);
  const ruleAt = new Int32Array(points.length).fill(-1);
  rules.forEach(({ start }, rule) => (ruleAt[start] = rule));

  const queue: number[] = [];
  const lowerCost = (index: number, cost: number): void => {
    if (cost >= (costs[index] ?? 0) || cost > MAX_TEXT) return;
    costs[index] = cost;
    queue.push(index);
  };
  for (const { end } of rules) lowerCost(end, 0);
  const lowerListCost = ({ from, transition: list }: ListAt): void => {
    budget.addWork(list.items.length);
    const { start, rest } = unorderedCosts(list, ruleCosts);
    lowerCost(from, rest(start) + (costs[list.to] ?? Infinity));
  };
  // Unordered lists are computed when no other point is queued, because the cost of each item can still decrease.
  const changedLists = new Set<ListAt>();
  const markChanged = (list: ListAt): void => void changedLists.add(list);
  const followFrom = (index: number): void => {
    const cost = costs[index] ?? 0;
    lists.before.get(index)?.forEach(markChanged);
    for (let edge = lastEdge[index] ?? -1; edge >= 0; edge = previousEdge[edge] ?? -1) {
      const rule = called[edge] ?? -1;
      lowerCost(sources[edge] ?? 0, cost + (bytes[edge] ?? 0) + (rule < 0 ? 0 : (ruleCosts[rule] ?? Infinity)));
      budget.addWork(1);
    }
    const rule = ruleAt[index] ?? -1;
    if (rule < 0 || cost >= (ruleCosts[rule] ?? 0)) return;
    ruleCosts[rule] = cost;
    lists.of.get(rule)?.forEach(markChanged);
    for (let call = lastCall[rule] ?? -1; call >= 0; call = previousCall[call] ?? -1) {
      lowerCost(callFrom[call] ?? 0, cost + (costs[callTo[call] ?? 0] ?? Infinity));
      budget.addWork(1);
    }
  };
  let followed = 0;
  while (followed < queue.length || changedLists.size > 0) {
    for (; followed < queue.length; followed++) followFrom(queue[followed] ?? 0);
    const changed = [...changedLists];
    changedLists.clear();
    for (const list of changed) lowerListCost(list);
  }
  return { costs, ruleCosts };
}

type ListAt = { readonly from: number; readonly transition: UnorderedTransition };

/** The unordered lists by the point after them, and by the rules of their items. */
function unorderedLists(points: Network['points']): { before: Map<number, ListAt[]>; of: Map<number, ListAt[]> } {
  const before = new Map<number, ListAt[]>();
  const of = new Map<number, ListAt[]>();
  const add = (to: Map<number, ListAt[]>, key: number, list: ListAt): void => {
    const existing = to.get(key);
    if (existing) existing.push(list);
    else to.set(key, [list]);
  };
  points.forEach(({ unordered }, from) => {
    for (const transition of unordered) {
      const list = { from, transition };
      add(before, transition.to, list);
      const rules = new Set(transition.items.flatMap(({ value }) => (value && 'rule' in value ? [value.rule] : [])));
      if (transition.others !== undefined) rules.add(transition.others.next);
      for (const rule of rules) add(of, rule, list);
    }
  });
  return { before, of };
}
