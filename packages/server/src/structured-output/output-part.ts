import type { ChatEvent } from '@modelwire/ports';
import type { DocumentReader, Outcome } from './document-reader.ts';
import type { OutputGrammar } from './output-grammars.ts';

/** Where a text of a reply belongs: the content of a choice, or the input of one of its tool calls. */
export type Place =
  | { readonly type: 'text'; readonly choice: number }
  | {
      readonly type: 'tool_input';
      readonly choice: number;
      readonly index: number;
      readonly kind: 'function' | 'custom';
      readonly name: string;
    };

type Piece = Extract<ChatEvent, { readonly type: 'text' | 'tool_input' }>;

/** A text of a reply that has to be a document. */
export class OutputPart {
  readonly place: Place;
  readonly grammar: OutputGrammar;
  /** Of the document so far. A repair replaces it. */
  reader: DocumentReader;
  readonly #isStreamed: boolean;
  #raw = '';
  #sent = '';
  #tokens = 0;
  /** Pieces whose log probabilities are sent with their text, once all of it may be sent. */
  #pieces: Extract<ChatEvent, { readonly type: 'text' }>[] = [];
  #waiting = '';

  /** @param isStreamed Whether what may be sent is sent at once; otherwise nothing is sent before the end. */
  constructor(place: Place, grammar: OutputGrammar, isStreamed: boolean) {
    this.place = place;
    this.grammar = grammar;
    this.reader = grammar.read();
    this.#isStreamed = isStreamed;
  }

  /** The text as the model wrote it. */
  get raw(): string {
    return this.#raw;
  }

  /** Whether a part of the document was sent and cannot be taken back. */
  get hasBegun(): boolean {
    return this.#sent !== '';
  }

  get isStreamed(): boolean {
    return this.#isStreamed;
  }

  /** Reads a piece, and returns what may be sent. */
  *write(piece: Piece): Generator<ChatEvent> {
    this.#raw += piece.text;
    this.#tokens += piece.tokens ?? 1;
    if (piece.type === 'text' && piece.logprobs) this.#pieces.push(piece);
    if (!this.reader.rejection) this.reader.write(piece.text);
    if (this.#isStreamed) yield* this.send(this.reader.take());
  }

  /** Ends the text of the model. If it is a document, the rest of it is returned. */
  *end(): Generator<ChatEvent, Outcome | undefined> {
    const outcome = this.reader.end();
    if (outcome) yield* this.send(this.reader.take(), true);
    return outcome;
  }

  /** The rest of a text that was cut, as it is. */
  *sendRaw(): Generator<ChatEvent> {
    if (this.#raw.startsWith(this.#sent)) yield* this.send(this.#raw.slice(this.#sent.length), true);
  }

  /** Counts tokens of which nothing is sent. */
  addTokens(tokens: number): void {
    this.#tokens += tokens;
  }

  *send(text: string, isEnd = false): Generator<ChatEvent> {
    this.#sent += text;
    this.#waiting += text;
    for (let [piece] = this.#pieces; piece && this.#waiting.startsWith(piece.text); [piece] = this.#pieces) {
      this.#pieces.shift();
      this.#tokens -= piece.tokens ?? 1;
      this.#waiting = this.#waiting.slice(piece.text.length);
      yield piece;
    }
    const [next] = this.#pieces;
    if (next?.text.startsWith(this.#waiting) && !isEnd) return;
    // The text is not what the model wrote, to which the log probabilities belong.
    this.#pieces = [];
    if (this.#waiting !== '' || (isEnd && this.#tokens > 0)) yield this.#event(this.#waiting, this.#tokens);
    this.#waiting = '';
    this.#tokens = 0;
  }

  #event(text: string, tokens: number): ChatEvent {
    const { place } = this;
    if (place.type === 'text') return { ...place, text, tokens };
    const { type, choice, index, kind } = place;
    return { type, choice, index, kind, text, tokens };
  }
}
