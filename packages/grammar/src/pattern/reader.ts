import { GrammarError } from '../errors.ts';
import type { Dialect } from './classes.ts';

/** The text of an expression and the current position. */
export type Reader = {
  readonly source: string;
  readonly dialect: Dialect;
  at: number;
  /** Whether `\d`, `\w` and `\s` are the exact Unicode classes: see `Dialect`. */
  exact: boolean;
  /** The number of ranges of all classes within brackets so far. */
  ranges: number;
  /** Creates an error at a position, by default the current one. */
  error(reason: string, code?: 'syntax' | 'unsupported' | 'limit', at?: number): GrammarError;
};

export function createReader(source: string, dialect: Dialect): Reader {
  const reader: Reader = {
    source,
    dialect,
    at: 0,
    exact: false,
    ranges: 0,
    error(reason, code = 'syntax', at = reader.at) {
      const before = source.slice(0, at).split('\n');
      return new GrammarError(code, reason, { line: before.length, column: (before.at(-1) ?? '').length + 1 });
    },
  };
  return reader;
}
