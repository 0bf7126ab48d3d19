import type { State } from '@modelwire/grammar';
import type { DocumentGrammar, DocumentReader, Outcome } from './document-reader.ts';
import { JsonReader } from './json-reader.ts';
import type { JsonPosition } from './json-reader.ts';
import type { Rejection } from './valid-prefix.ts';

/** Maximum number of brackets that are tried as the start of the document. */
const maxStarts = 64;
/** Whitespace and a code fence before a document. The fence is complete if something follows. */
const lead = /^[\s\uFEFF]*(?:(?:```|~~~)[\w+-]*[ \t]*\n?\s*)?/;
const whitespace = /^[ \n\r\t]*$/;
const unfinishedFence = /(?:`{1,2}|~{1,2}|```[\w+-]*[ \t]*|~~~[\w+-]*[ \t]*)$/;

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
  #text = '';
  /** How much of the text was read. */
  #at = 0;
  /** Where the document begins. */
  #documentAt = 0;
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
    this.#text += text;
    while (!this.#rejection && this.#at < this.#text.length) {
      const reader = this.#reader ?? this.#begin(false);
      if (!reader) return;
      this.#at = reader.read(this.#text, this.#at);
      if (!this.#checkRejected(reader)) return;
    }
  }

  /** Returns whether another start is tried. */
  #checkRejected(reader: JsonReader): boolean {
    if (!reader.rejection) return false;
    // What has content is the document, and what follows may be a part of it: only a bracket in prose is skipped.
    if (reader.hasContent || this.#beginning.from || ++this.#starts === maxStarts) {
      this.#rejection = reader.rejection;
      return false;
    }
    this.#at = this.#documentAt + 1;
    this.#reader = undefined;
    return true;
  }

  /** Finds where the document begins; undefined if that needs more text. */
  #begin(isEnd: boolean): JsonReader | undefined {
    const { sent, from } = this.#beginning;
    const documentAt = from ? this.#restStart(from, isEnd) : this.#documentStart(isEnd);
    if (documentAt === undefined) return undefined;
    this.#documentAt = documentAt;
    this.#at = documentAt;
    const options = { integersHaveNoPoint: this.#integersHaveNoPoint, ...(sent !== undefined && { sent }) };
    return (this.#reader = new JsonReader(from ?? this.#start, options, documentAt));
  }

  #restStart({ expected }: JsonPosition, isEnd: boolean): number | undefined {
    if (expected === 'string') return 0;
    if (!isEnd && (this.#text.trim() === '' || unfinishedFence.test(this.#text))) return undefined;
    return fenceEnd(this.#text);
  }

  #documentStart(isEnd: boolean): number | undefined {
    const rest = this.#text.slice(this.#at);
    if (!isEnd && unfinishedFence.test(rest)) return undefined;
    if (this.#at === 0 || rest.startsWith('```')) {
      const start = lead.exec(rest)?.[0].length ?? 0;
      if (start === rest.length) return undefined;
      if (this.#canBegin(rest[start] ?? '')) return this.#at + start;
    }
    for (let at = this.#at; at < this.#text.length; at++) {
      const char = this.#text[at] ?? '';
      if ((char === '{' || char === '[') && this.#canBegin(char)) return at;
      if (char !== '`' || !this.#text.startsWith('```', at) || at === this.#at) continue;
      this.#at = at;
      return this.#documentStart(isEnd);
    }
    this.#at = this.#text.length;
    return undefined;
  }

  #canBegin(char: string): boolean {
    const byte = { "'": '"', T: 't', F: 'f', N: 'n' }[char] ?? char;
    return byte !== '' && this.#start.advance(byte) !== undefined;
  }

  take(): string {
    const reader = this.#reader;
    const released = reader?.hasContent ? reader.prefix.takeReleased() : '';
    if (released === '') return this.#takeTrailing();
    // Whitespace around the document is a part of it, unless something else is there, too.
    const isFirst = !this.#hasReleased && !this.#beginning.sent && !this.#beginning.from;
    this.#hasReleased = true;
    const leading = isFirst && this.#isAtStart ? this.#text.slice(0, this.#documentAt) : '';
    return leading + released + this.#takeTrailing();
  }

  #takeTrailing(): string {
    const trailing = this.#trailing;
    this.#trailing = '';
    return trailing;
  }

  /** Whether nothing but whitespace precedes the document. */
  get #isAtStart(): boolean {
    return whitespace.test(this.#text.slice(0, this.#documentAt));
  }

  end(): Outcome | undefined {
    if (this.#rejection) return undefined;
    const reader = this.#reader ?? this.#begin(true);
    if (!reader) {
      this.#rejection = { position: this.#text.length, reason: 'it has no JSON' };
      return undefined;
    }
    if (this.#at < this.#text.length && !reader.isComplete) this.#at = reader.read(this.#text, this.#at);
    const ended = reader.end();
    if (!ended) {
      this.#rejection = reader.rejection ?? { position: this.#text.length, reason: 'it ends too early' };
      return undefined;
    }
    if (ended.closed) return 'closed';
    const after = this.#text.slice(this.#at);
    const written = this.#text.slice(this.#documentAt, this.#at);
    if (!this.#isAtStart || !whitespace.test(after) || reader.prefix.text !== written) return 'cleaned';
    this.#trailing = after;
    return 'unchanged';
  }
}

/** Where the text after whitespace and a code fence begins. Without a fence, the whitespace is part of the text. */
function fenceEnd(text: string): number {
  const [found = ''] = lead.exec(text) ?? [];
  return found.trim() === '' ? 0 : found.length;
}
