import type { Dfa } from '../automaton/dfa.ts';
import { GrammarError } from '../errors.ts';
import type { TokenWay } from '../network/build.ts';
import type { Machine } from '../network/machine.ts';

/** Where a rule goes on once what it called has ended. */
export type Return = {
  id: number;
  entry: number;
  frame: Frame;
  cost: number;
  /** The step in which it was last returned to. */
  step: number;
  /** The frame of this return alone, and a thread that goes on here: mostly there is one, and then no list is looked through. */
  alone: Frame | undefined;
  thread: Thread | undefined;
};

/** A call under way: all the places it may return to. Frames never change and are shared wherever they are equal. */
export type Frame = {
  id: number;
  root: boolean;
  returns: readonly Return[];
  cost: number;
  /** Calls within each other. */
  depth: number;
  /** A return to this frame, for the same reason. */
  first: Return | undefined;
};

/** A token under way and where to go on after it. */
export type Thread = {
  id: number;
  dfa: Dfa;
  state: number;
  then: Return;
  /** The state of this thread alone, a `MatcherState`: states are made of threads, and so not known here. */
  alone: object | undefined;
};

/** What may begin at a place: tokens at their start, or the end of everything. */
export type Opening = { threads: readonly Thread[]; canEnd: boolean };

/**
 * Calls as a graph: where several readings of the text call one rule at one place, they share a frame with several
 * returns, so that ambiguity costs a sum and not a product. Equal frames are one object: a state that is reached again
 * is recognised, however it was reached.
 */
export type Frames = {
  root: Frame;
  returnTo(entry: number, frame: Frame): Return;
  thread(dfa: Dfa, state: number, then: Return): Thread;
  /** All that may follow once the given returns are due. */
  open(returns: readonly Return[]): Opening;
  /** Places to return to in all frames that were made since they were last forgotten. */
  weight(): number;
  /** Clears the caches of frames and returns. Later ones share less memory with earlier ones; results do not change. */
  forget(): void;
};

/**
 * More readings, and ways between them, at one place than any honest grammar has: thirty times what the widest public
 * schema has. A step stays within milliseconds.
 */
const MAX_READINGS = 20_000;
/** More places to which one call may return than any honest grammar has: as many as `anyOf` has schemas. */
const MAX_RETURNS = 1000;
/**
 * More calls than any honest grammar has within which the text may stand at one place of a rule. It is this that grows with
 * the text where a grammar is ambiguous, and each byte then costs more than the one before.
 */
const MAX_CALLS = 250;
/** Calls within calls. What is remembered of a text grows with them, and each further one costs like the first. */
const MAX_DEPTH = 10_000;
const MAX_KEPT = 50_000;

/** A call that began at the place at hand. */
type Draft = {
  /** Drafts are told apart by negative numbers. */
  id: number;
  step: number;
  frozen: Frame | undefined;
  /** Calls that return here, by place and context. */
  entries: number[];
  contexts: Context[];
  /** Calls that are the last of their caller, which has nothing to do once it is returned to. */
  inherits: Context[];
};
type Context = Frame | Draft;

/** Pairs of numbers as one number; as a text where that is not exact. */
const LOW = 2 ** 24;
const EXACT = 2 ** 29;
function keyOf(high: number, low: number): number | string {
  return high < EXACT && high > -EXACT && low < LOW ? high * LOW + low : `${high},${low}`;
}

export function createFrames(machine: Machine): Frames {
  const { entry: entryAt, cost: costAt, isTail, ruleStarts } = machine;
  let lastId = 0;
  let weight = 0;
  let returnsByKey = new Map<number | string, Return>();
  let framesByKey = new Map<string, Frame>();
  let threadsByKey = new Map<number | string, Thread>();
  /** Where the states of an automaton begin among those of all. */
  const offsets = new Map<Dfa, number>();
  let states = 0;
  const root: Frame = { id: 0, root: true, returns: [], cost: 0, depth: 0, first: undefined };

  const returnTo = (entry: number, frame: Frame): Return => {
    if (frame.first?.entry === entry) return frame.first;
    const key = frame.first === undefined ? -1 : keyOf(frame.id, entry);
    const found = key === -1 ? undefined : returnsByKey.get(key);
    if (found !== undefined) return found;
    const cost = costAt(entry) + frame.cost;
    const made = { id: ++lastId, entry, frame, cost, step: -1, alone: undefined, thread: undefined };
    if (key === -1) return (frame.first = made);
    // Forgetting shares less from here on and changes no answer.
    if (returnsByKey.size > MAX_KEPT) returnsByKey = new Map();
    returnsByKey.set(key, made);
    return made;
  };

  const offsetOf = (dfa: Dfa): number => {
    let offset = offsets.get(dfa);
    if (offset === undefined) {
      offsets.set(dfa, (offset = states));
      states += dfa.accepting.length;
    }
    return offset;
  };

  const thread = (dfa: Dfa, state: number, then: Return): Thread => {
    const { thread: last } = then;
    if (last?.state === state && last.dfa === dfa) return last;
    const key = last === undefined ? -1 : keyOf(then.id, offsetOf(dfa) + state);
    const found = key === -1 ? undefined : threadsByKey.get(key);
    if (found !== undefined) return found;
    const made = { id: ++lastId, dfa, state, then, alone: undefined };
    if (key === -1) return (then.thread = made);
    if (threadsByKey.size > MAX_KEPT) threadsByKey = new Map();
    threadsByKey.set(key, made);
    return made;
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
      throw new GrammarError('limit', `the text nests more than ${MAX_DEPTH} calls of rules within each other`);
    }
    return { id: ++lastId, root: isRoot, returns, cost, depth, first: undefined };
  };

  const frameOf = (isRoot: boolean, returns: readonly Return[]): Frame => {
    const [only] = returns;
    if (isRoot && only === undefined) return root;
    if (!isRoot && only && returns.length === 1) return (only.alone ??= makeFrame(false, returns));
    const sorted = [...returns].sort((a, b) => a.id - b.id);
    const key = `${isRoot ? 'r' : ''}${sorted.map(({ id }) => id).join(',')}`;
    let found = framesByKey.get(key);
    if (found === undefined) {
      if (framesByKey.size > MAX_KEPT) framesByKey = new Map();
      framesByKey.set(key, (found = makeFrame(isRoot, sorted)));
    }
    return found;
  };

  // What follows is of the step at hand, and kept between steps: most steps are small, and would be made of garbage else.
  let step = 0;
  let readings = 0;
  let canEnd = false;
  const drafts: Draft[] = [];
  const entries: number[] = [];
  const contexts: Context[] = [];
  const begun: TokenWay[] = [];
  const begunIn: Context[] = [];
  const rests = new Set<number | string>();
  /** How many calls were found at each place, and in which step that was counted. */
  const callsAt = new Int32Array(machine.points);
  const countedIn = new Float64Array(machine.points);

  const read = (count: number): void => {
    readings += count;
    if (readings > MAX_READINGS) throw tooAmbiguous('too many readings');
  };
  const goBack = (one: Return): void => {
    if (one.step === step) return;
    one.step = step;
    const { entry, frame } = one;
    const calls = countedIn[entry] === step ? (callsAt[entry] ?? 0) + 1 : 1;
    if (calls > MAX_CALLS) throw tooAmbiguous('too many calls under way at one place');
    callsAt[entry] = calls;
    countedIn[entry] = step;
    entries.push(entry);
    contexts.push(frame);
  };
  const goOn = (entry: number, context: Context): void => {
    const key = keyOf(context.id, entry);
    if (rests.has(key)) return;
    rests.add(key);
    entries.push(entry);
    contexts.push(context);
  };
  const call = (rule: number, to: number, context: Context): void => {
    let draft = drafts[rule];
    if (draft?.step !== step) {
      draft = { id: -1 - rule, step, frozen: undefined, entries: [], contexts: [], inherits: [] };
      drafts[rule] = draft;
      entries.push(ruleStarts[rule] ?? 0);
      contexts.push(draft);
    }
    // A last call returns to where its caller would: lists that recur on the right keep a flat stack.
    if (isTail(to)) draft.inherits.push(context);
    else {
      draft.entries.push(to);
      draft.contexts.push(context);
    }
  };

  /**
   * Callers first: they are never called back before a byte, since no rule is recursive on the left. With a list of our own:
   * rules call each other deeper than the call stack is.
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
  const frozen = (draft: Draft): Frame => {
    const [inherited] = draft.inherits;
    const [entry] = draft.entries;
    if (draft.inherits.length + draft.entries.length === 1) {
      if (inherited) return freeze(inherited);
      if (entry !== undefined) return frameOf(false, [returnTo(entry, freeze(draft.contexts[0] ?? root))]);
    }
    const returns = new Set<Return>();
    let isRoot = false;
    for (const each of draft.inherits) {
      const frame = freeze(each);
      isRoot ||= frame.root;
      read(frame.returns.length);
      for (const one of frame.returns) returns.add(one);
    }
    for (let i = 0; i < draft.entries.length; i++) {
      returns.add(returnTo(draft.entries[i] ?? 0, freeze(draft.contexts[i] ?? root)));
    }
    if (returns.size > MAX_RETURNS) throw tooAmbiguous('too many places to return to');
    return frameOf(isRoot, [...returns]);
  };

  const follow = (index: number, context: Context): void => {
    const entry = entryAt(index);
    read(1 + entry.tokens.length + entry.calls.length + entry.rest.length);
    for (const more of entry.rest) goOn(more, context);
    for (const way of entry.tokens) {
      begun.push(way);
      begunIn.push(context);
    }
    for (const { rule, to } of entry.calls) call(rule, to, context);
    // A rule that began here and ends here is empty: its callers have stepped over it already.
    if (!entry.final || isDraft(context)) return;
    if (context.root) canEnd = true;
    read(context.returns.length);
    for (const one of context.returns) goBack(one);
  };

  const open = (due: readonly Return[]): Opening => {
    step++;
    readings = 0;
    canEnd = false;
    // A step that was refused has left something.
    for (const list of [entries, contexts, begun, begunIn]) list.length = 0;
    if (rests.size > 0) rests.clear();
    for (const one of due) goBack(one);
    for (let index = entries.pop(); index !== undefined; index = entries.pop()) follow(index, contexts.pop() ?? root);
    const threads: Thread[] = [];
    for (let i = 0; i < begun.length; i++) {
      const way = begun[i];
      if (way === undefined) continue;
      // Nothing asks whether two states begin the same tokens: these are no thread that is known by its number.
      const then = returnTo(way.to, freeze(begunIn[i] ?? root));
      threads.push({ id: 0, dfa: way.dfa, state: 0, then, alone: undefined });
    }
    return { threads, canEnd };
  };

  const forget = (): void => {
    returnsByKey = new Map();
    framesByKey = new Map();
    threadsByKey = new Map();
    root.first = undefined;
    drafts.length = 0;
    weight = 0;
  };

  return { root, returnTo, thread, open, weight: () => weight, forget };
}

function isDraft(context: Context): context is Draft {
  return context.id < 0;
}

/** The callers of a draft that are not frozen yet. */
function pushDrafts(waiting: Draft[], { inherits, contexts }: Draft): void {
  for (const caller of inherits) if (isDraft(caller) && caller.frozen === undefined) waiting.push(caller);
  for (const caller of contexts) if (isDraft(caller) && caller.frozen === undefined) waiting.push(caller);
}

function tooAmbiguous(what: string): GrammarError {
  return new GrammarError('limit', `the grammar is too ambiguous: ${what}`);
}
