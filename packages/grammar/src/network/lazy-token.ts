import type { Dfa } from '../automaton/dfa.ts';
import { runSteps } from '../steps.ts';
import type { Steps } from '../steps.ts';
import type { Token } from './node.ts';

/** A token with a small automaton, built on demand. */
export class LazyToken implements Token {
  #dfa: Dfa | undefined;
  readonly #make: () => Dfa;

  constructor(make: () => Dfa) {
    this.#make = make;
  }

  get dfa(): Dfa {
    return (this.#dfa ??= this.#make());
  }
}

/** A token whose automaton is built in steps by `prepare`, or at once if it is needed before. */
export class SteppedToken implements Token {
  #dfa: Dfa | undefined;
  readonly #make: () => Steps<Dfa>;

  constructor(make: () => Steps<Dfa>) {
    this.#make = make;
  }

  get dfa(): Dfa {
    return (this.#dfa ??= runSteps(this.#make()));
  }

  *prepare(): Steps<void> {
    this.#dfa ??= yield* this.#make();
  }
}
