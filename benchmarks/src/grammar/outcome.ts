/** What one grammar library did with one problem. */
export interface Outcome {
  readonly id: string;
  /** Milliseconds to compile the schema, refused or not. */
  readonly compileMs: number;
  /** Why the schema was refused. */
  readonly refused: string | null;
  /** Valid instances that were rejected, and invalid ones that were accepted, by their index. */
  readonly rejected: readonly number[];
  readonly accepted: readonly number[];
  /** Microseconds of each mask, with the check of the token and the step over it. */
  readonly masksUs: readonly number[];
}

/** A line of the file that both libraries read: a problem with its instances as tokens. */
export interface TokenizedProblem {
  readonly id: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly valid: boolean; readonly tokens: readonly number[] }[];
}

/** A vocabulary for all libraries. */
export interface Vocabulary {
  /** The bytes of each token, in base64. */
  readonly tokens: readonly string[];
  /** The regular expression that splits text into words. */
  readonly pattern: string;
}
