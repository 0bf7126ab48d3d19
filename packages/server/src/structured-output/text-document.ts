import type { State } from '@modelwire/grammar';
import type { DocumentGrammar, DocumentReader, Outcome } from './document-reader.ts';
import { ValidPrefix } from './valid-prefix.ts';
import type { Rejection } from './valid-prefix.ts';

/** Texts that a regular expression or a Lark grammar describes. */
export function textDocuments(start: State, description: string): DocumentGrammar {
  return { description, read: (sent) => new TextDocument(new ValidPrefix(start, { ...(sent && { sent }) })) };
}

/** A text without anything around it, except line breaks at its end that the grammar does not allow. */
class TextDocument implements DocumentReader {
  readonly #prefix: ValidPrefix;
  #position = 0;
  /** The first half of a surrogate pair. */
  #half = '';
  /** Line breaks after the end. */
  #after = '';
  #rejection: Rejection | undefined;

  constructor(prefix: ValidPrefix) {
    this.#prefix = prefix;
  }

  get rejection(): Rejection | undefined {
    return this.#rejection;
  }

  get hasRepeated(): boolean {
    return this.#prefix.hasRepeated;
  }

  get canonical(): string {
    return this.#prefix.canonical;
  }

  get text(): string {
    return this.#prefix.text;
  }

  rest(): DocumentReader {
    const { state, canonical, text } = this.#prefix;
    return new TextDocument(new ValidPrefix(state, { canonical, text }));
  }

  write(text: string): void {
    const characters = Array.from(this.#half + text);
    this.#half = /^[\ud800-\udbff]$/.test(characters.at(-1) ?? '') ? (characters.pop() ?? '') : '';
    for (const char of characters) {
      if (this.#rejection) return;
      this.#append(char);
      this.#position += char.length;
    }
  }

  #append(char: string): void {
    const problem = this.#after === '' ? this.#prefix.append(char, [char], char) : 'it goes on after its end';
    if (problem === undefined) return;
    if ((char === '\n' || char === '\r') && this.#prefix.state.canEnd()) this.#after += char;
    else this.#rejection = { position: this.#position, reason: problem.replace('schema', 'grammar') };
  }

  take(): string {
    return this.#prefix.takeReleased();
  }

  end(): Outcome | undefined {
    if (!this.#rejection && (this.#half !== '' || !this.#prefix.state.canEnd()))
      this.#rejection = { position: this.#position, reason: 'it ends too early' };
    if (this.#rejection) return undefined;
    return this.#after === '' ? 'unchanged' : 'cleaned';
  }
}
