import type { Dfa } from '../automaton/dfa.ts';
import { stepDfa } from '../automaton/dfa.ts';
import { CELLS_PER_STEP } from '../budget.ts';
import type { Budget } from '../budget.ts';
import { GrammarError } from '../errors.ts';
import type { State } from '../grammar.ts';
import type { Machine } from '../network/machine.ts';
import { createFrames } from './frames.ts';
import type { Closure, Return, Thread } from './call-stack.ts';
import { completion, createCompletionSteps } from './completion.ts';
import type { CompletionStep } from './completion.ts';
import { runSteps } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { areEqual, hashOf, returnsOfEnded, sortUnique } from './thread-lists.ts';

/** Maximum number of active terminals. */
const MAX_THREADS = 2000;
/** With at most this many active terminals, rejected bytes are computed each time instead of cached. */
const FEW_THREADS = 16;
/** Maximum number of cached states. Above it, the cache is cleared. */
const MAX_STATES = 20_000;
/** Maximum memory of the frames and positions of cached states, in return points. Above it, the cache is cleared too. */
const MAX_WEIGHT = 2_000_000;
/** Maximum length of forced text in bytes. */
const MAX_FORCED = 4096;

const encoder = new TextEncoder();
/** An automaton with a single accepting state, used for terminals that have ended. */
const ENDED: Dfa = {
  ...{ classes: new Uint8Array(256), samples: Uint8Array.of(0), width: 1, table: Int32Array.of(-1) },
  ...{ accepting: Uint8Array.of(1), distance: Int32Array.of(0), nullable: false },
};

/** The closure of states in which no terminal can end, which are most. */
const EMPTY_CLOSURE: Closure = { threads: [], canEnd: false };

/** The cost of a derivation, in steps of work. */
const DERIVATION_WORK = 2;

/** Creates the start state. @throws GrammarError if the limit on active terminals is exceeded there or after the first byte. */
export function* createStart(machine: Machine, budget: Budget): Steps<MatcherState> {
  const frames = createFrames(machine);
  const cache: StateCache = { states: new Map(), count: 0, generation: 0 };

  const make = (threads: readonly Thread[]): MatcherState => {
    if (cache.count >= MAX_STATES || frames.weight() > MAX_WEIGHT) {
      cache.states.clear();
      cache.count = 0;
      cache.generation++;
      frames.clearCache();
    }
    cache.count++;
    return new MatcherState(threads, context);
  };
  const internSingle = (thread: Thread): MatcherState => {
    const { onlyState } = thread;
    if (onlyState instanceof MatcherState && onlyState.generation === cache.generation) return onlyState;
    const created = make([thread]);
    thread.onlyState = created;
    return created;
  };
  const intern = (threads: Thread[]): MatcherState | undefined => {
    sortUnique(threads);
    const [first] = threads;
    if (first === undefined) return undefined;
    if (threads.length === 1) return internSingle(first);
    if (threads.length > MAX_THREADS) throw tooMany();
    const hash = hashOf(threads);
    for (let state = cache.states.get(hash); state !== undefined; state = state.equalHash) {
      if (areEqual(state.threads, threads)) return state;
    }
    // The copy has no spare capacity, unlike an array that has grown.
    const created = make(threads.slice());
    // `undefined` if `make` has cleared the cache.
    created.equalHash = cache.states.get(hash);
    cache.states.set(hash, created);
    return created;
  };
  const { closureOf, thread } = frames;
  // Without an active terminal, this is the start state: the start rule is called.
  const closureAfter = (threads: readonly Thread[]): Closure => {
    if (threads.length === 0) return closureOf([frames.returnTo(machine.start, frames.root)]);
    const ended = returnsOfEnded(threads);
    return ended.length === 0 ? EMPTY_CLOSURE : closureOf(ended);
  };
  const context: Context = {
    cache,
    internSingle,
    intern,
    closureAfter,
    makeThread: thread,
    stepAfter: createCompletionSteps(closureOf),
  };

  const start = new MatcherState([], context);
  const checkStarted = (state: MatcherState): number => {
    const before = frames.derivations();
    const count = state.startedThreads().length;
    budget.addWork(DERIVATION_WORK * (frames.derivations() - before));
    if (count > MAX_THREADS) throw tooMany();
    return count;
  };
  const count = checkStarted(start);
  // Alternative objects start with one terminal each, the opening brace, and all their members start after it. There, each edge is followed
  // at most twice: in the calls of the first terminal, and in new calls. The grammar is rejected even if only some of the first bytes exceed
  // the limit, because a model cannot know which ones do.
  if (count < 2 || 2 * machine.terminalEdges <= MAX_THREADS) return start;
  budget.addWork(Math.ceil((256 * count) / CELLS_PER_STEP));
  for (let byte = 0; byte < 256; byte++) {
    const next = start.advanceByte(byte);
    if (next) checkStarted(next);
    if (budget.isPauseDue()) yield;
  }
  return start;
}

function tooMany(): GrammarError {
  return new GrammarError('limit', 'the grammar is too ambiguous: too many active terminals');
}

/**
 * States by the hashes of their threads. Clearing it starts a new generation, and states of older generations drop their cached
 * transitions: the start state lives as long as its grammar and must not retain states that were removed from the cache.
 */
type StateCache = { readonly states: Map<number, MatcherState>; count: number; generation: number };

type Context = {
  cache: StateCache;
  /** The state with a single thread. */
  internSingle: (thread: Thread) => MatcherState;
  /** The state with these threads. Sorts the list in place. */
  intern: (threads: Thread[]) => MatcherState | undefined;
  closureAfter: (threads: readonly Thread[]) => Closure;
  makeThread: (dfa: Dfa, state: number, returnPoint: Return) => Thread;
  stepAfter: (after: Return) => CompletionStep;
};

/** Ids are unique among the states of all grammars. */
let lastId = 0;

/** A state, with members that only token masks use. It is small, because there can be one for each byte of a text. */
export class MatcherState implements State {
  /** The key of a state in the caches of token masks, which must not retain the state and its grammar. */
  readonly id = ++lastId;
  /** The active terminals. */
  readonly threads: readonly Thread[];
  readonly #context: Context;
  #cachedClosure: Closure | undefined;
  /** The generation of the cache to which the cached transitions belong. */
  generation: number;
  /** The next state with the same hash. */
  equalHash: MatcherState | undefined;
  /**
   * Cached transitions by byte; `null` for rejected bytes. The first one has separate fields, because most states have only one. The
   * others are in a map, because they are few compared with the 256 elements of an array.
   */
  #firstByte = -1;
  #first: MatcherState | null = null;
  #others: Map<number, MatcherState | null> | undefined;

  constructor(threads: readonly Thread[], context: Context) {
    this.threads = threads;
    this.#context = context;
    this.generation = context.cache.generation;
  }

  #closure(): Closure {
    return (this.#cachedClosure ??= this.#context.closureAfter(this.threads));
  }

  /** The state in which the terminals before these return points have ended. */
  after(returns: readonly Return[]): MatcherState | undefined {
    const { intern, makeThread } = this.#context;
    return intern(returns.map((returnPoint) => makeThread(ENDED, 0, returnPoint)));
  }

  /** The threads of terminals that can start here, after the active terminals that can end here. */
  startedThreads(): readonly Thread[] {
    return this.#closure().threads;
  }

  advanceByte(byte: number): MatcherState | undefined {
    const { cache } = this.#context;
    if (this.generation !== cache.generation) {
      this.#cachedClosure = undefined;
      this.#firstByte = -1;
      this.#first = null;
      this.#others = undefined;
      this.generation = cache.generation;
    }
    if (byte === this.#firstByte) return this.#first ?? undefined;
    const before = this.#others?.get(byte);
    if (before !== undefined) return before ?? undefined;
    if (this.#hasFewThreads() && !this.#hasTransition(byte)) return undefined;
    const found = this.#computeTransition(byte);
    if (this.generation !== cache.generation) return found;
    if (this.#firstByte < 0) {
      this.#firstByte = byte;
      this.#first = found ?? null;
    } else (this.#others ??= new Map<number, MatcherState | null>()).set(byte, found ?? null);
    return found;
  }

  /** Whether a byte is allowed. Unlike `advanceByte`, it usually does not create the next state. */
  allowsByte(byte: number): boolean {
    return this.#hasFewThreads() ? this.#hasTransition(byte) : this.advanceByte(byte) !== undefined;
  }

  #hasFewThreads(): boolean {
    return this.threads.length + this.startedThreads().length <= FEW_THREADS;
  }

  #hasTransition(byte: number): boolean {
    for (const { dfa, state } of this.threads) if (stepDfa(dfa, state, byte) >= 0) return true;
    for (const { dfa, state } of this.startedThreads()) if (stepDfa(dfa, state, byte) >= 0) return true;
    return false;
  }

  #computeTransition(byte: number): MatcherState | undefined {
    const { makeThread, internSingle, intern } = this.#context;
    let first: Thread | undefined;
    let several: Thread[] | undefined;
    for (const threads of [this.threads, this.startedThreads()]) {
      for (const { dfa, state, returnPoint } of threads) {
        const target = stepDfa(dfa, state, byte);
        if (target < 0) continue;
        const next = makeThread(dfa, target, returnPoint);
        if (first === undefined) first = next;
        else (several ??= [first]).push(next);
      }
    }
    if (several !== undefined) return intern(several);
    return first && internSingle(first);
  }

  advance(more: string | Uint8Array): MatcherState | undefined {
    return advanceBytes(this, typeof more === 'string' ? encoder.encode(more) : more);
  }

  canEnd(): boolean {
    return this.#closure().canEnd;
  }

  mustEnd(): boolean {
    return this.canEnd() && this.nextBytes().length === 0;
  }

  nextBytes(): number[] {
    const allowed = new Uint8Array(256);
    for (const threads of [this.threads, this.startedThreads()]) {
      for (const { dfa, state } of threads) {
        for (let byte = 0; byte < 256; byte++) if (stepDfa(dfa, state, byte) >= 0) allowed[byte] = 1;
      }
    }
    const bytes: number[] = [];
    for (let byte = 0; byte < 256; byte++) if (allowed[byte] === 1) bytes.push(byte);
    return bytes;
  }

  forced(): string {
    return forced(this);
  }

  shortestCompletion(): string {
    return new TextDecoder().decode(this.completionBytes());
  }

  completionBytes(): Uint8Array {
    return runSteps(this.completionSteps());
  }

  completionSteps(): Steps<Uint8Array> {
    const threads = [...this.threads, ...this.startedThreads()];
    return completion({ threads, canEnd: this.canEnd() }, this.#context.stepAfter);
  }
}

function advanceBytes(from: MatcherState, bytes: Uint8Array): MatcherState | undefined {
  let state: MatcherState | undefined = from;
  for (let i = 0; i < bytes.length && state !== undefined; i++) state = state.advanceByte(bytes[i] ?? 0);
  return state;
}

function forced(from: MatcherState): string {
  const bytes: number[] = [];
  let state: MatcherState | undefined = from;
  while (state && bytes.length < MAX_FORCED && !state.canEnd()) {
    const [byte, other] = state.nextBytes();
    if (byte === undefined || other !== undefined) break;
    bytes.push(byte);
    state = state.advanceByte(byte);
  }
  // Only whole characters are returned, not the first bytes that several characters have in common.
  if (bytes[0] !== undefined && (bytes[0] & 0xc0) === 0x80) return '';
  return new TextDecoder().decode(Uint8Array.from(bytes), { stream: true });
}
