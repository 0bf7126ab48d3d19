import type { Budget } from '../budget.ts';
import { GrammarError } from '../errors.ts';
import { addCall, addEpsilon, addTerminal, addUnordered, newPoint, pointAt } from './build.ts';
import type { Network } from './build.ts';

/**
 * The first `maxPoints` points that can be reached without consuming a byte, and in `rest` those from which the search has to continue.
 * Calls of rules for which `skip` is true are treated as empty.
 */
export function epsilonReachable(
  network: Network,
  from: number,
  skip: (rule: number) => boolean,
  maxPoints: number,
): { reached: number[]; rest: number[] } {
  const found = new Set([from]);
  const reached: number[] = [];
  const rest: number[] = [];
  for (const index of found) {
    if (reached.length === maxPoints) {
      rest.push(index);
      continue;
    }
    reached.push(index);
    const point = pointAt(network, index);
    for (const next of point.epsilon) found.add(next);
    for (const { rule, to } of point.calls) if (skip(rule)) found.add(to);
  }
  return { reached, rest };
}

/** Which rules can be empty (nullable), and which rules each rule can call before it consumes a byte. */
export function leftmostCalls(network: Network, budget: Budget): { nullable: Set<number>; calls: Set<number>[] } {
  const { rules, points } = network;
  const nullable = new Set<number>();
  const calls = rules.map(() => new Set<number>());
  // Each point belongs to one rule and is visited once. A call is skipped as soon as its rule is known to be nullable.
  const owners = new Int32Array(points.length).fill(-1);
  const ends = new Uint8Array(points.length);
  const waiting = new Map<number, number[]>();
  const pending: number[] = [];
  const reach = (point: number, rule: number): void => {
    if (owners[point] !== -1) return;
    owners[point] = rule;
    pending.push(point);
  };
  rules.forEach(({ start, end }, rule) => {
    ends[end] = 1;
    reach(start, rule);
  });
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    const owner = owners[index] ?? 0;
    const { epsilon, calls: callTransitions } = pointAt(network, index);
    budget.addWork(2 + epsilon.length + 2 * callTransitions.length);
    for (const next of epsilon) reach(next, owner);
    for (const { rule, to } of callTransitions) {
      calls[owner]?.add(rule);
      if (nullable.has(rule)) {
        reach(to, owner);
        continue;
      }
      // Continues after the call when its rule turns out to be nullable.
      const others = waiting.get(rule);
      if (others) others.push(to, owner);
      else waiting.set(rule, [to, owner]);
    }
    if (ends[index] === 0 || nullable.has(owner)) continue;
    nullable.add(owner);
    const released = waiting.get(owner) ?? [];
    for (let i = 0; i < released.length; i += 2) reach(released[i] ?? 0, released[i + 1] ?? 0);
    waiting.delete(owner);
  }
  return { nullable, calls };
}

/** The strongly connected components of rules that call each other, callees first. */
function stronglyConnectedRules(calls: readonly ReadonlySet<number>[], budget: Budget): number[][] {
  const order = new Array<number>(calls.length).fill(-1);
  const low = new Array<number>(calls.length).fill(-1);
  const open: number[] = [];
  const isOpen = new Set<number>();
  const groups: number[][] = [];
  let count = 0;
  // Tarjan's algorithm with an explicit stack, because rules can nest deeper than the call stack.
  for (let root = 0; root < calls.length; root++) {
    if (order[root] !== -1) continue;
    const path: { rule: number; rest: number[] }[] = [];
    const enter = (rule: number): void => {
      order[rule] = low[rule] = count++;
      open.push(rule);
      isOpen.add(rule);
      path.push({ rule, rest: [...(calls[rule] ?? [])] });
      budget.addWork(1);
    };
    enter(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { rule, rest } = top;
      const next = rest.pop();
      if (next !== undefined) {
        if (order[next] === -1) enter(next);
        else if (isOpen.has(next)) low[rule] = Math.min(low[rule] ?? 0, order[next] ?? 0);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent) low[parent.rule] = Math.min(low[parent.rule] ?? 0, low[rule] ?? 0);
      if (low[rule] !== order[rule]) continue;
      const group: number[] = [];
      for (let member = open.pop(); member !== undefined; member = member === rule ? undefined : open.pop()) {
        isOpen.delete(member);
        group.push(member);
      }
      groups.push(group);
    }
  }
  return groups;
}

/** Groups of mutually left-recursive rules, callees first. */
export function leftRecursiveGroups(network: Network, budget: Budget): number[][] {
  const { calls } = leftmostCalls(network, budget);
  return stronglyConnectedRules(calls, budget).filter(
    (group) => group.length > 1 || group.some((rule) => calls[rule]?.has(rule) === true),
  );
}

/**
 * Rewrites left-recursive rules. Their left calls form a left-linear grammar, which is regular: each group becomes one graph with a point
 * "a text of rule M ends here" for each rule M, which is reached from the start of M without left calls and from what follows a left
 * call.
 */
export function removeLeftRecursion(network: Network, budget: Budget): void {
  const groups = leftRecursiveGroups(network, budget);
  const bodies = network.rules.map((rule) => ({ ...rule }));
  for (const group of groups) {
    const members = group.flatMap((rule): Member[] => {
      const body = bodies[rule];
      return body
        ? [{ rule, ...body, first: epsilonReachable(network, body.start, () => false, Infinity).reached }]
        : [];
    });
    for (const rule of group) {
      const body = network.rules[rule];
      if (body !== undefined) Object.assign(body, rewriteRule(network, budget, members, rule));
    }
  }
  if (groups.length === 0) return;
  const [left] = leftRecursiveGroups(network, budget);
  if (left === undefined) return;
  const names = left.map((rule) => network.rules[rule]?.name ?? '').join(', ');
  throw new GrammarError(
    'unsupported',
    `${names}: left recursion after something that can be empty; rewrite what comes before it so that it is never empty`,
  );
}

/** An original rule of a group, and the points that it reaches without consuming a byte. */
type Member = { rule: number; start: number; end: number; first: readonly number[] };

/** The cost of copying a point and a transition, in proportion to their memory, in steps of work. */
const POINT_WORK = 30;
const TRANSITION_WORK = 9;

function rewriteRule(
  network: Network,
  budget: Budget,
  members: readonly Member[],
  rule: number,
): { start: number; end: number } {
  const start = newPoint(network, budget);
  const first = pointAt(network, start);
  const endPoints = new Map(members.map((member) => [member.rule, newPoint(network, budget)]));
  const copies = new Map<number, number>();
  const pending: number[] = [];
  const copy = (index: number): number => {
    let copyIndex = copies.get(index);
    if (copyIndex === undefined) {
      copyIndex = newPoint(network, budget);
      copies.set(index, copyIndex);
      pending.push(index);
    }
    return copyIndex;
  };
  for (const member of members) {
    const endPoint = endPoints.get(member.rule) ?? start;
    addEpsilon(pointAt(network, copy(member.end)), endPoint);
    for (const index of member.first) {
      const point = pointAt(network, index);
      budget.addWork(TRANSITION_WORK * (1 + point.terminals.length + point.calls.length));
      for (const transition of point.terminals) addTerminal(first, { ...transition, to: copy(transition.to) });
      for (const transition of point.unordered) addUnordered(first, { ...transition, to: copy(transition.to) });
      for (const { rule: called, to } of point.calls) {
        const left = endPoints.get(called);
        if (left !== undefined) addEpsilon(pointAt(network, left), copy(to));
        else addCall(first, called, copy(to));
      }
      if (index === member.end) addEpsilon(first, endPoint);
    }
  }
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    const from = pointAt(network, copy(index));
    const point = pointAt(network, index);
    budget.addWork(POINT_WORK + TRANSITION_WORK * (point.epsilon.length + point.terminals.length + point.calls.length));
    for (const to of point.epsilon) addEpsilon(from, copy(to));
    for (const transition of point.terminals) addTerminal(from, { ...transition, to: copy(transition.to) });
    for (const transition of point.unordered) addUnordered(from, { ...transition, to: copy(transition.to) });
    for (const { rule: called, to } of point.calls) addCall(from, called, copy(to));
  }
  return { start, end: endPoints.get(rule) ?? start };
}
