import { GrammarError } from '@modelwire/grammar';
import type { State } from '@modelwire/grammar';

/** Why a text is not what its grammar requires. */
export interface Rejection {
  /** The number of characters of the reply before the first one that is wrong. */
  readonly position: number;
  /** For instance `it does not match the schema at $.n`. */
  readonly reason: string;
}

const tooLarge = 'it is too large to be checked';
const notAsSent = 'it does not begin with what was sent before';

/** How a grammar may write a unit. Of a list, it has to accept every member. */
export type Form = string | readonly string[];

/**
 * The part of a document that its grammar accepted so far, in units that cannot be divided: a character of a string, a whole number.
 * A document that has to begin with what was sent before is compared with it, and only what follows is released.
 */
export class ValidPrefix {
  #state: State;
  /** As every writer of the same document would have it: without whitespace, escapes as `JSON.stringify` writes them. */
  #canonical: string;
  #text: string;
  #released = '';
  readonly #sent: string;

  /** @param sent The canonical form of what the document has to begin with. */
  constructor(state: State, { sent = '', canonical = '', text = '' } = {}) {
    this.#state = state;
    this.#sent = sent;
    this.#canonical = canonical;
    this.#text = text;
  }

  get state(): State {
    return this.#state;
  }

  get canonical(): string {
    return this.#canonical;
  }

  /** The text of the prefix, as it was written and normalized. */
  get text(): string {
    return this.#text;
  }

  /** Whether everything that was sent before is repeated. */
  get hasRepeated(): boolean {
    return this.#canonical.length >= this.#sent.length;
  }

  /**
   * Appends a unit if the grammar accepts one of its forms. Returns the problem otherwise.
   *
   * @param text What is released.
   */
  append(unit: string, forms: readonly Form[], text: string): string | undefined {
    let next: State | undefined;
    try {
      next = this.#firstAccepted(forms);
    } catch (error) {
      if (error instanceof GrammarError || error instanceof RangeError) return tooLarge;
      throw error;
    }
    return next ? this.appendTo(next, unit, text) : 'it does not match the schema';
  }

  /** Appends a unit after which the grammar is in a given state. Returns the problem if what was sent before goes on differently. */
  appendTo(next: State, unit: string, text: string): string | undefined {
    const { hasRepeated } = this;
    if (!hasRepeated && !this.#sent.startsWith(unit, this.#canonical.length)) return notAsSent;
    this.#add(next, unit, text, hasRepeated);
    return undefined;
  }

  /** Appends characters that are units and have one form, as many as the grammar accepts. Returns their number. */
  appendCharacters(characters: string): number {
    const { hasRepeated } = this;
    let state = this.#state;
    let count = 0;
    for (; count < characters.length; count++) {
      // A character that repeats what was sent is a step of its own, because what follows is released.
      if (!hasRepeated && (count > 0 || !this.#sent.startsWith(characters[0] ?? '', this.#canonical.length))) break;
      const next = this.#step(state, characters.charCodeAt(count));
      if (!next) break;
      state = next;
    }
    if (count > 0) this.#add(state, characters.slice(0, count), characters.slice(0, count), hasRepeated);
    return count;
  }

  #step(state: State, byte: number): State | undefined {
    try {
      return state.advanceByte(byte);
    } catch (error) {
      if (error instanceof GrammarError) return undefined;
      throw error;
    }
  }

  #add(state: State, unit: string, text: string, isReleased: boolean): void {
    this.#state = state;
    this.#canonical += unit;
    this.#text += text;
    if (isReleased) this.#released += text;
  }

  /** Changes the state without a unit. */
  moveTo(state: State): void {
    this.#state = state;
  }

  /** The state after a unit. */
  peek(forms: readonly Form[]): State | undefined {
    try {
      return this.#firstAccepted(forms);
    } catch (error) {
      if (error instanceof GrammarError) return undefined;
      throw error;
    }
  }

  #firstAccepted(forms: readonly Form[]): State | undefined {
    for (const form of forms) {
      if (typeof form === 'string') {
        const next = this.#state.advance(form);
        if (next) return next;
      } else if (form.every((member) => this.#state.advance(member))) return this.#state.advance(form[0] ?? '');
    }
    return undefined;
  }

  /** Returns what was released since the last call. */
  takeReleased(): string {
    const released = this.#released;
    this.#released = '';
    return released;
  }
}
