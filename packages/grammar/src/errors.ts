/**
 * Why a grammar was rejected: `syntax` it is invalid; `unsupported` it is valid but cannot be enforced; `empty` no text
 * matches; `limit` it exceeds a limit of size or work; `budget` the grammars of one request together exceed the budget.
 */
export type GrammarErrorCode = 'syntax' | 'unsupported' | 'empty' | 'limit' | 'budget';

export type GrammarErrorDetails = {
  /** Path in a JSON Schema, e.g. `#/properties/name/pattern`. */
  path?: string;
  /** Position in a Lark definition or a regular expression; both count from 1. */
  line?: number;
  column?: number;
};

/** A grammar that cannot be enforced exactly. Grammars are never relaxed instead. */
export class GrammarError extends Error {
  override readonly name = 'GrammarError';
  readonly code: GrammarErrorCode;
  readonly path: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The problem and its solution, without the position. */
  readonly reason: string;

  constructor(code: GrammarErrorCode, reason: string, { path, line, column }: GrammarErrorDetails = {}) {
    const place = path ?? (line === undefined ? undefined : `line ${line}, column ${column ?? 1}`);
    super(place === undefined ? reason : `${place}: ${reason}`);
    this.code = code;
    this.reason = reason;
    this.path = path;
    this.line = line;
    this.column = column;
  }
}

/** The same error at a position that only the caller knows; an existing position is kept. */
export function withPosition(error: unknown, details: GrammarErrorDetails): unknown {
  if (!(error instanceof GrammarError) || error.path !== undefined) return error;
  // The sum of all grammars is too large, not this one.
  if (error.code === 'budget') return error;
  if (error.line !== undefined && details.path === undefined) return error;
  const { line, column } = error;
  const at = line === undefined || details.path === undefined ? '' : ` (at character ${column ?? 1} of the expression)`;
  return new GrammarError(error.code, `${error.reason}${at}`, details);
}
