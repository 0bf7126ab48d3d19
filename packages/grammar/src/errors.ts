/**
 * Why a grammar was refused: `syntax` it cannot be read; `unsupported` it is read, but cannot be enforced; `empty` no text
 * fits it; `limit` it is larger, or needs more work, than the limits allow; `budget` the grammars of one request together
 * need more work than a request may take.
 */
export type GrammarErrorCode = 'syntax' | 'unsupported' | 'empty' | 'limit' | 'budget';

export type GrammarErrorDetails = {
  /** Where in a JSON Schema, e.g. `#/properties/name/pattern`. */
  path?: string;
  /** Where in a Lark definition or a regular expression; both count from 1. */
  line?: number;
  column?: number;
};

/** A grammar that cannot be enforced exactly. Nothing is ever decoded under a looser one instead. */
export class GrammarError extends Error {
  override readonly name = 'GrammarError';
  readonly code: GrammarErrorCode;
  readonly path: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** What is wrong and what would be right, without the place. */
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

/** The same error at a place that only the caller knows; a place that is known already stays. */
export function placed(error: unknown, details: GrammarErrorDetails): unknown {
  if (!(error instanceof GrammarError) || error.path !== undefined) return error;
  // The sum of all grammars is too large, not what stands at this place.
  if (error.code === 'budget') return error;
  if (error.line !== undefined && details.path === undefined) return error;
  const { line, column } = error;
  const at = line === undefined || details.path === undefined ? '' : ` (at character ${column ?? 1} of the expression)`;
  return new GrammarError(error.code, `${error.reason}${at}`, details);
}
