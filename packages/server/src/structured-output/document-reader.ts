import type { Rejection } from './valid-prefix.ts';

/** How a document was found in a text: as it is, without what is not part of it or normalized, or with closing brackets appended. */
export type Outcome = 'unchanged' | 'cleaned' | 'closed';

/** Reads the text of a model that has to contain a document of a certain grammar. */
export interface DocumentReader {
  /** Reads more of the text, in pieces of any length. */
  write(text: string): void;
  /** Returns what may be sent since the last call. It is never taken back. */
  take(): string;
  /** Ends the text. Returns undefined if it contains no valid document: then there is a rejection. */
  end(): Outcome | undefined;
  readonly rejection: Rejection | undefined;
  /** Whether the text repeats what was sent before, as far as it has to. */
  readonly hasRepeated: boolean;
  /** The valid prefix of the document, in the form that readers compare; empty if there is none worth continuing. */
  readonly canonical: string;
  /** The same as it was written. */
  readonly text: string;
  /** A reader of the text that follows the valid prefix. */
  rest(): DocumentReader;
}

/** The documents that a part of a reply may be. */
export interface DocumentGrammar {
  /** What the documents are, for instructions: `JSON that matches this JSON Schema: …`. */
  readonly description: string;
  /** @param sent The canonical form of what a document has to begin with. */
  read(sent?: string): DocumentReader;
}
