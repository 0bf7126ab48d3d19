import type { State } from '@modelwire/grammar';
import type { DocumentGrammar, DocumentReader, Outcome } from './document-reader.ts';
import { DocumentStart } from './document-start.ts';
import { JsonReader } from './json-reader.ts';
import type { JsonPosition } from './json-reader.ts';
import type { Rejection } from './valid-prefix.ts';

/** Maximum number of brackets that are tried as the start of the document. */
const maxStarts = 64;
const whitespace = /^[ \n\r\t]*$/;

/** JSON documents that a grammar accepts in compact form. */
export function jsonDocuments(start: State, description: string, integersHaveNoPoint: boolean): DocumentGrammar {
  return {
    description,
    read: (sent) => new JsonDocument(start, integersHaveNoPoint, { sent }),
  };
}

interface Beginning {
  readonly sent?: string | undefined;
  /** Where the text continues another one. */
  readonly from?: JsonPosition;
}

/** A JSON document in a text that may have a code fence around it, and prose before and after. */
class JsonDocument implements DocumentReader {
  readonly #start: State;
  readonly #integersHaveNoPoint: boolean;
  readonly #beginning: Beginning;
  readonly #documentStart = new DocumentStart((char) => this.#canBegin(char));
  /** The text before the document. */
  #before = '';
  /** The document as it was written. */
  #written = '';
  /** The text that was not read. */
  #unread = '';
  #starts = 0;
  #reader: JsonReader | undefined;
  #hasReleased = false;
  /** Whitespace after the document. */
  #trailing = '';
  #rejection: Rejection | undefined;

  constructor(start: State, integersHaveNoPoint: boolean, beginning: Beginning) {
    this.#start = start;
    this.#integersHaveNoPoint = integersHaveNoPoint;
    this.#beginning = beginning;
  }

  get rejection(): Rejection | undefined {
    return this.#rejection;
  }

  get hasRepeated(): boolean {
    return !this.#beginning.sent || (this.#reader?.prefix.hasRepeated ?? false);
  }

  get canonical(): string {
    return this.#reader?.hasContent ? this.#reader.prefix.canonical : '';
  }

  get text(): string {
    return this.#reader?.hasContent ? this.#reader.prefix.text : '';
  }

  rest(): DocumentReader {
    if (!this.#reader) throw new Error('the document has not begun');
    return new JsonDocument(this.#start, this.#integersHaveNoPoint, { from: this.#reader.here });
  }

  write(text: string): void {
    this.#unread += text;
    while (!this.#rejection && this.#unread !== '') {
      const reader = this.#reader ?? this.#begin(false);
      if (!reader) return;
      this.#read(reader);
      if (!this.#checkRejected(reader)) return;
    }
  }

  #read(reader: JsonReader): void {
    const count = reader.read(this.#unread);
    if (count === 0) return;
    this.#written += this.#unread.slice(0, count);
    this.#unread = this.#unread.slice(count);
  }

  /** Returns whether another start is tried. */
  #checkRejected(reader: JsonReader): boolean {
    if (!reader.rejection) return false;
    // What has content is the document, and what follows may be a part of it: only a bracket in prose is skipped.
    if (reader.hasContent || this.#beginning.from || ++this.#starts === maxStarts) {
      this.#rejection = reader.rejection;
      return false;
    }
    this.#unread = this.#before + this.#written + this.#unread;
    this.#before = '';
    this.#written = '';
    this.#documentStart.continueInProse();
    this.#reader = undefined;
    return true;
  }

  /** Finds where the document begins; undefined if that needs more text. */
  #begin(isEnd: boolean): JsonReader | undefined {
    const { sent, from } = this.#beginning;
    const at = this.#findStart(isEnd);
    if (at === undefined) return undefined;
    this.#before = this.#unread.slice(0, at);
    this.#unread = this.#unread.slice(at);
    const options = { integersHaveNoPoint: this.#integersHaveNoPoint, ...(sent !== undefined && { sent }) };
    return (this.#reader = new JsonReader(from ?? this.#start, options, at));
  }

  #findStart(isEnd: boolean): number | undefined {
    const { from } = this.#beginning;
    if (!from) return this.#documentStart.find(this.#unread, isEnd);
    // All of the text can be part of a string.
    return from.expected === 'string' ? 0 : this.#documentStart.findRest(this.#unread, isEnd);
  }

  #canBegin(char: string): boolean {
    const byte = { "'": '"', T: 't', F: 'f', N: 'n' }[char] ?? char;
    return byte !== '' && this.#start.advance(byte) !== undefined;
  }

  take(): string {
    const reader = this.#reader;
    const released = reader?.hasContent ? reader.prefix.takeReleased() : '';
    if (released === '') return this.#takeTrailing();
    const isFirst = !this.#hasReleased && !this.#beginning.sent && !this.#beginning.from;
    this.#hasReleased = true;
    const leading = isFirst && whitespace.test(this.#before) ? this.#before : '';
    return leading + released + this.#takeTrailing();
  }

  #takeTrailing(): string {
    const trailing = this.#trailing;
    this.#trailing = '';
    return trailing;
  }

  end(): Outcome | undefined {
    if (this.#rejection) return undefined;
    const reader = this.#reader ?? this.#begin(true);
    if (!reader) {
      this.#rejectAtEnd('it has no JSON');
      return undefined;
    }
    this.#read(reader);
    const ended = reader.end();
    if (!ended) {
      this.#rejection = reader.rejection;
      this.#rejectAtEnd('it ends too early');
      return undefined;
    }
    if (reader.hasRepeatedNames && !this.#matchesAsParsed(reader.prefix.text)) {
      this.#rejectAtEnd('it repeats a name, and its last value does not match the schema');
      return undefined;
    }
    if (ended.closed) return 'closed';
    // Whitespace around the document is a part of it, unless something else is there, too.
    const isAlone = whitespace.test(this.#before) && whitespace.test(this.#unread);
    if (!isAlone || reader.prefix.text !== this.#written) return 'cleaned';
    this.#trailing = this.#unread;
    return 'unchanged';
  }

  #matchesAsParsed(text: string): boolean {
    const reader = new JsonReader(this.#start, { integersHaveNoPoint: this.#integersHaveNoPoint });
    reader.read(JSON.stringify(JSON.parse(text)));
    return reader.end()?.closed === false;
  }

  #rejectAtEnd(reason: string): void {
    const position = this.#before.length + this.#written.length + this.#unread.length;
    this.#rejection ??= { position, reason };
  }
}
