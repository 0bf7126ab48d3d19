import type { SourcePosition } from './lexer.ts';

/** The right side of a rule or terminal as parsed. */
export type Expression = SourcePosition &
  (
    | { kind: 'alt' | 'seq'; items: readonly Expression[] }
    | { kind: 'repeat'; item: Expression; min: number; max: number }
    | { kind: 'name'; name: string; terminal: boolean }
    | { kind: 'string'; text: string; ignoreCase: boolean }
    | { kind: 'regex'; source: string; ignoreCase: boolean; dotAll: boolean }
    | { kind: 'range'; from: string; to: string }
  );

export type Definition = SourcePosition & { name: string; expression: Expression };

/** A parsed grammar: definitions by name, and the expressions that are ignored between terminals. */
export type LarkGrammar = {
  rules: Map<string, Definition>;
  terminals: Map<string, Definition>;
  ignored: Expression[];
};
