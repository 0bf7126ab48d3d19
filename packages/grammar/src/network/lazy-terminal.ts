import { distanceFrom } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';
import { runSteps } from '../steps.ts';
import type { Steps } from '../steps.ts';
import type { Terminal } from './node.ts';

/** A terminal with an existing automaton. */
export function builtTerminal(dfa: Dfa): Terminal {
  return { dfa, minBytes: distanceFrom(dfa, 0), nullable: dfa.nullable };
}

/** A terminal whose automaton can be built before it is needed. */
export interface PreparableTerminal extends Terminal {
  /** Builds the automaton in steps. */
  prepare(): Steps<void>;
}

/** A terminal with a small automaton, which is built when it is first needed. */
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
 * A non-empty terminal whose cost is known and charged in advance. Its automaton is built when a text reaches it; most of them are
 * never built.
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

/** A terminal whose automaton is built in steps by `prepare`, or in one go if it is needed earlier. */
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
