import { distanceFrom } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';
import { runSteps } from '../steps.ts';
import type { Steps } from '../steps.ts';
import type { Terminal } from './node.ts';

/** A terminal with an automaton that exists already. */
export function builtTerminal(dfa: Dfa): Terminal {
  return { dfa, minBytes: distanceFrom(dfa, 0), nullable: dfa.nullable };
}

/** A terminal that can be built before it is needed. */
export interface PreparableTerminal extends Terminal {
  /** Builds the automaton. */
  prepare(): Steps<void>;
}

/** A terminal with a small automaton, built on demand. */
export class LazyTerminal implements PreparableTerminal {
  #dfa: Dfa | undefined;
  readonly #make: () => Dfa;

  constructor(make: () => Dfa) {
    this.#make = make;
  }

  get dfa(): Dfa {
    return (this.#dfa ??= this.#make());
  }

  get minBytes(): number {
    return distanceFrom(this.dfa, 0);
  }

  get nullable(): boolean {
    return this.dfa.nullable;
  }

  *prepare(): Steps<void> {
    this.#dfa ??= this.#make();
  }
}

/**
 * A terminal that is never empty, and whose size was known and charged before: its automaton is built when a text reaches it, and
 * most are never built.
 */
export class DeferredTerminal implements PreparableTerminal {
  #dfa: Dfa | undefined;
  readonly #make: () => Dfa;
  readonly minBytes: number;
  readonly nullable = false;

  /** `make` must not use a budget: it runs after the compilation. */
  constructor(minBytes: number, make: () => Dfa) {
    this.minBytes = minBytes;
    this.#make = make;
  }

  get dfa(): Dfa {
    return (this.#dfa ??= this.#make());
  }

  *prepare(): Steps<void> {}
}

/** A terminal whose automaton is built in steps by `prepare`, or at once if it is needed before. */
export class SteppedTerminal implements PreparableTerminal {
  #dfa: Dfa | undefined;
  readonly #make: () => Steps<Dfa>;

  constructor(make: () => Steps<Dfa>) {
    this.#make = make;
  }

  get dfa(): Dfa {
    return (this.#dfa ??= runSteps(this.#make()));
  }

  get minBytes(): number {
    return distanceFrom(this.dfa, 0);
  }

  get nullable(): boolean {
    return this.dfa.nullable;
  }

  *prepare(): Steps<void> {
    this.#dfa ??= yield* this.#make();
  }
}
