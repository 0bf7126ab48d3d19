/**
 * Why a grammar was rejected. `syntax`: it is invalid. `unsupported`: it is valid but cannot be enforced. `empty`: no text matches.
 * `limit`: it exceeds a limit on size, work or time, or a text is too ambiguous. `budget`: the grammars of one request exceed
 * their common budget.
 */
export type GrammarErrorCode = 'syntax' | 'unsupported' | 'empty' | 'limit' | 'budget';

export type GrammarErrorDetails = {
  /** Path in a JSON Schema, e.g. `#/properties/name/pattern`. */
  path?: string;
  /** Position in a Lark definition or a regular expression; both count from 1. */
  line?: number;
  column?: number;
};

/** Thrown for a grammar that cannot be enforced exactly: a grammar is never relaxed. */
export class GrammarError extends Error {
  override readonly name = 'GrammarError';
  readonly code: GrammarErrorCode;
  readonly path: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The problem and how to fix it, without the path or position. */
  readonly reason: string;

  constructor(code: GrammarErrorCode, reason: string, { path, line, column }: GrammarErrorDetails = {}) {
    const position = path ?? (line === undefined ? undefined : `line ${line}, column ${column ?? 1}`);
    super(position === undefined ? reason : `${position}: ${reason}`);
    this.code = code;
    this.reason = reason;
    this.path = path;
    this.line = line;
    this.column = column;
  }
}

/** Adds a position that only the caller knows to a `GrammarError` that has none. Returns other errors unchanged. */
export function withPosition(error: unknown, details: GrammarErrorDetails): unknown {
  if (!(error instanceof GrammarError) || error.path !== undefined) return error;
  // All grammars of the request together exceed the budget, so a position in this one would mislead.
  if (error.code === 'budget') return error;
  if (error.line !== undefined && details.path === undefined) return error;
  const { line, column } = error;
  const at = line === undefined || details.path === undefined ? '' : ` (at character ${column ?? 1} of the expression)`;
  return new GrammarError(error.code, `${error.reason}${at}`, details);
}
