import { countStates } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';
import { GrammarError } from '../errors.ts';
import type { Machine } from '../network/machine.ts';
import type { Position, TerminalEdge } from '../network/position.ts';
import { Return } from './call-stack.ts';
import type { Frame, Closure, Thread } from './call-stack.ts';

/**
 * A graph-structured stack, which represents the call stacks of all derivations: derivations that call a rule at the same point of the
 * text share a frame with several return points, so that the cost of ambiguity is additive instead of multiplicative. Equal frames are
 * one object, so that equal states are recognized regardless of how they were reached.
 */
export type Frames = {
  root: Frame;
  returnTo(position: Position, frame: Frame): Return;
  thread(dfa: Dfa, state: number, returnPoint: Return): Thread;
  /** Everything that can follow the given return points without consuming a byte. */
  closureOf(returns: readonly Return[]): Closure;
  /** The number of derivations and transitions that all calls of `closureOf` have followed. */
  derivations(): number;
  /** The memory of frames and positions since the caches were last cleared, in return points. */
  weight(): number;
  /** Clears the caches of frames and return points. Results do not change, but later states share less memory with earlier ones. */
  clearCache(): void;
};

/**
 * Maximum number of derivations and transitions that one step follows: thirty times those of the widest public schema. Limits the time
 * of a step to milliseconds.
 */
const MAX_DERIVATIONS = 20_000;
/** Maximum number of return points of a call: the maximum number of schemas in `anyOf`. */
const MAX_RETURNS = 1000;
/**
 * Maximum number of active calls in which one position is reached in the same step. With an ambiguous grammar, it grows with the text
 * and makes each byte more expensive than the previous one.
 */
const MAX_CALLS = 250;
/** Maximum number of nested calls, with which the memory of a text grows. */
const MAX_DEPTH = 10_000;
const MAX_CACHED = 50_000;
/** Maximum length of the list of threads of a return point. Additional threads are in a map, where they take twice as much memory. */
const MAX_LISTED_THREADS = 8;
const MAX_RECENT_CLOSURES = 4;
/** The memory of a position that is created at run time, in return points. */
const POSITION_WEIGHT = 8;

/** A frame under construction: a call that starts in the current step, and whose callers are still being added. */
type DraftFrame = {
  /** Negative, unlike the ids of frames. */
  id: number;
  step: number;
  frozen: Frame | undefined;
  /** The return points: each position, and at the same index the frame that it belongs to. */
  positions: Position[];
  contexts: Context[];
  /** The frames of callers that make a tail call: their return points are inherited. */
  inherits: Context[];
};
type Context = Frame | DraftFrame;

type RecentClosure = { readonly target: Return; readonly closure: Closure; readonly derivations: number };

/** Encodes a pair of integers as one key: a number, or a string if a number would not be exact. */
const LOW = 2 ** 24;
const EXACT = 2 ** 29;
function keyOf(high: number, low: number): number | string {
  return high < EXACT && high > -EXACT && low < LOW ? high * LOW + low : `${high},${low}`;
}

export function createFrames(machine: Machine): Frames {
  let lastId = 0;
  let weight = 0;
  let returnsByKey = new Map<number | string, Return>();
  let framesByKey = new Map<string, Frame>();
  let threadsByKey = new Map<number | string, Thread>();
  /** For each automaton, the offset that makes the numbers of its states unique. */
  const offsets = new Map<Dfa, number>();
  let states = 0;
  const root: Frame = { id: 0, root: true, returns: [], cost: 0, depth: 0, first: undefined };

  // An object has a position for each name that can follow, usually with a single frame: most return points are found without a map.
  const returnTo = (position: Position, frame: Frame): Return => {
    if (frame.first?.position === position) return frame.first;
    const { firstReturn } = position;
    if (firstReturn instanceof Return && firstReturn.frame === frame) return firstReturn;
    if (frame.first === undefined) return (frame.first = new Return(++lastId, position, frame));
    if (firstReturn === undefined) {
      const created = new Return(++lastId, position, frame);
      position.firstReturn = created;
      return created;
    }
    const key = keyOf(frame.id, position.id);
    let found = returnsByKey.get(key);
    if (found !== undefined) return found;
    // Clearing reduces sharing and does not change results.
    if (returnsByKey.size > MAX_CACHED) returnsByKey = new Map();
    returnsByKey.set(key, (found = new Return(++lastId, position, frame)));
    return found;
  };

  const offsetOf = (dfa: Dfa): number => {
    let offset = offsets.get(dfa);
    if (offset === undefined) {
      offsets.set(dfa, (offset = states));
      states += countStates(dfa);
    }
    return offset;
  };

  const thread = (dfa: Dfa, state: number, returnPoint: Return): Thread => {
    const { latestThread } = returnPoint;
    let listed = 0;
    for (let known = latestThread; known !== undefined; known = known.previous) {
      if (known.state === state && known.dfa === dfa) return known;
      listed++;
    }
    if (listed < MAX_LISTED_THREADS) {
      const created = { id: ++lastId, dfa, state, returnPoint, onlyState: undefined, previous: latestThread };
      returnPoint.latestThread = created;
      return created;
    }
    const key = keyOf(returnPoint.id, offsetOf(dfa) + state);
    const existing = threadsByKey.get(key);
    if (existing !== undefined) return existing;
    const created = { id: ++lastId, dfa, state, returnPoint, onlyState: undefined, previous: undefined };
    if (threadsByKey.size > MAX_CACHED) threadsByKey = new Map();
    threadsByKey.set(key, created);
    return created;
  };

  const makeFrame = (isRoot: boolean, returns: readonly Return[]): Frame => {
    weight += returns.length;
    let cost = isRoot ? 0 : Infinity;
    let depth = 0;
    for (const one of returns) {
      cost = Math.min(cost, one.cost);
      depth = Math.max(depth, one.frame.depth + 1);
    }
    if (depth > MAX_DEPTH) {
      throw new GrammarError('limit', `the text nests more than ${MAX_DEPTH} rule calls`);
    }
    return { id: ++lastId, root: isRoot, returns, cost, depth, first: undefined };
  };

  const frameOf = (isRoot: boolean, returns: readonly Return[]): Frame => {
    const [only] = returns;
    if (isRoot && only === undefined) return root;
    if (!isRoot && only && returns.length === 1) return (only.onlyFrame ??= makeFrame(false, returns));
    const sorted = [...returns].sort((a, b) => a.id - b.id);
    const key = `${isRoot ? 'r' : ''}${sorted.map(({ id }) => id).join(',')}`;
    let frame = framesByKey.get(key);
    if (frame === undefined) {
      if (framesByKey.size > MAX_CACHED) framesByKey = new Map();
      framesByKey.set(key, (frame = makeFrame(isRoot, sorted)));
    }
    return frame;
  };

  // The data of the current step. The arrays are reused, because allocating them would dominate the cost of most steps.
  let step = 0;
  let derivations = 0;
  let earlierDerivations = 0;
  let canEnd = false;
  const drafts: DraftFrame[] = [];
  const positions: Position[] = [];
  const contexts: Context[] = [];
  const startedTerminals: TerminalEdge[] = [];
  const startedContexts: Context[] = [];
  const rests = new Set<number | string>();

  const countDerivations = (count: number): void => {
    derivations += count;
    if (derivations > MAX_DERIVATIONS) throw tooAmbiguous('too many derivations');
  };
  const continueAfter = (target: Return): void => {
    if (target.step === step) return;
    target.step = step;
    const { position, frame } = target;
    const calls = position.callsStep === step ? position.calls + 1 : 1;
    if (calls > MAX_CALLS) throw tooAmbiguous('too many active calls of one rule');
    position.calls = calls;
    position.callsStep = step;
    positions.push(position);
    contexts.push(frame);
  };
  const continueWithRest = (position: Position, context: Context): void => {
    const key = keyOf(context.id, position.id);
    if (rests.has(key)) return;
    rests.add(key);
    positions.push(position);
    contexts.push(context);
  };
  const call = (rule: number, to: Position, context: Context): void => {
    let draft = drafts[rule];
    if (draft?.step !== step) {
      draft = { id: -1 - rule, step, frozen: undefined, positions: [], contexts: [], inherits: [] };
      drafts[rule] = draft;
      positions.push(machine.ruleStart(rule));
      contexts.push(draft);
    }
    // A tail call returns to the return points of its caller: the stack does not grow for right-recursive lists.
    if (to.isTail()) draft.inherits.push(context);
    else {
      draft.positions.push(to);
      draft.contexts.push(context);
    }
  };

  /**
   * Converts drafts to frames, callers first. There are no cycles, because no rule is left-recursive. Uses an explicit stack, because
   * rules can be nested deeper than the call stack of the JavaScript engine.
   */
  const freeze = (context: Context): Frame => {
    if (!isDraft(context)) return context;
    let frame = context.frozen;
    if (frame !== undefined) return frame;
    const waiting = [context];
    for (let draft = waiting.at(-1); draft !== undefined; draft = waiting.at(-1)) {
      const before = waiting.length;
      if (draft.frozen === undefined) pushDrafts(waiting, draft);
      if (waiting.length > before) continue;
      frame = draft.frozen ??= frozen(draft);
      waiting.pop();
    }
    return frame ?? root;
  };
  const frozen = (draft: DraftFrame): Frame => {
    const [inherited] = draft.inherits;
    const [position] = draft.positions;
    if (draft.inherits.length + draft.positions.length === 1) {
      if (inherited) return freeze(inherited);
      if (position !== undefined) return frameOf(false, [returnTo(position, freeze(draft.contexts[0] ?? root))]);
    }
    const returns = new Set<Return>();
    let isRoot = false;
    for (const each of draft.inherits) {
      const frame = freeze(each);
      isRoot ||= frame.root;
      countDerivations(frame.returns.length);
      for (const one of frame.returns) returns.add(one);
    }
    for (let i = 0; i < draft.positions.length; i++) {
      const to = draft.positions[i];
      if (to !== undefined) returns.add(returnTo(to, freeze(draft.contexts[i] ?? root)));
    }
    if (returns.size > MAX_RETURNS) throw tooAmbiguous('too many return points');
    return frameOf(isRoot, [...returns]);
  };

  const follow = (position: Position, context: Context): void => {
    const entry = position.entry();
    countDerivations(1 + entry.terminals.length + entry.calls.length + entry.rest.length);
    for (const position of entry.rest) continueWithRest(position, context);
    for (const edge of entry.terminals) {
      startedTerminals.push(edge);
      startedContexts.push(context);
    }
    for (const { rule, to } of entry.calls) call(rule, to, context);
    // A rule that both starts and ends in this step is empty: its callers have already skipped it.
    if (!entry.final || isDraft(context)) return;
    if (context.root) canEnd = true;
    countDerivations(context.returns.length);
    for (const target of context.returns) continueAfter(target);
  };

  const closureAfter = (returns: readonly Return[]): Closure => {
    step++;
    earlierDerivations += derivations;
    derivations = 0;
    canEnd = false;
    // A step that threw an error did not clean up its data.
    for (const list of [positions, contexts, startedTerminals, startedContexts]) list.length = 0;
    if (rests.size > 0) rests.clear();
    for (const target of returns) continueAfter(target);
    for (let next = positions.pop(); next !== undefined; next = positions.pop()) follow(next, contexts.pop() ?? root);
    const threads = startedTerminals.map((edge, index): Thread => {
      // These threads are never compared, so they need no id.
      const returnPoint = returnTo(edge.to, freeze(startedContexts[index] ?? root));
      return { id: 0, dfa: edge.dfa, state: 0, returnPoint, onlyState: undefined, previous: undefined };
    });
    return { threads, canEnd };
  };

  /** The latest closures. The same return point is requested repeatedly, for example after each digit of a number. */
  let recent: (RecentClosure | undefined)[] = [];
  let nextRecent = 0;
  const closureOf = (returns: readonly Return[]): Closure => {
    const [target] = returns;
    if (target === undefined || returns.length > 1) return closureAfter(returns);
    for (const one of recent) {
      if (one?.target !== target) continue;
      earlierDerivations += one.derivations;
      return one.closure;
    }
    const closure = closureAfter(returns);
    recent[nextRecent] = { target, closure, derivations };
    nextRecent = (nextRecent + 1) % MAX_RECENT_CLOSURES;
    return closure;
  };

  const clearCache = (): void => {
    returnsByKey = new Map();
    framesByKey = new Map();
    threadsByKey = new Map();
    root.first = undefined;
    recent = [];
    drafts.length = 0;
    machine.clearCache();
    weight = 0;
  };

  return {
    ...{ root, returnTo, thread, closureOf, clearCache },
    derivations: () => earlierDerivations + derivations,
    weight: () => weight + POSITION_WEIGHT * machine.runtimePositions(),
  };
}

function isDraft(context: Context): context is DraftFrame {
  return context.id < 0;
}

/** Pushes the callers of a draft that have not been converted to frames yet. */
function pushDrafts(waiting: DraftFrame[], { inherits, contexts }: DraftFrame): void {
  for (const caller of inherits) if (isDraft(caller) && caller.frozen === undefined) waiting.push(caller);
  for (const caller of contexts) if (isDraft(caller) && caller.frozen === undefined) waiting.push(caller);
}

function tooAmbiguous(what: string): GrammarError {
  return new GrammarError('limit', `the grammar is too ambiguous: ${what}`);
}
