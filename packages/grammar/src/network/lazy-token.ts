import type { Dfa } from '../automaton/dfa.ts';
import { runSteps } from '../steps.ts';
import type { Steps } from '../steps.ts';
import type { Token } from './node.ts';

/** A token whose automaton is small, and made when it is first asked for. */
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

/** A token whose automaton is made in steps by `prepare`, or at once by whoever needs it before. */
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
