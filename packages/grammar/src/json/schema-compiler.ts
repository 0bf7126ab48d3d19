import type { Budget } from '../budget.ts';
import type { Node } from '../network/node.ts';
import type { RuleDraft } from '../network/build.ts';
import type { Branch, TextLimits } from './branch.ts';
import type { Constraint } from './constraint.ts';
import type { Terminals } from './terminals.ts';

/** Compiles the schemas of one document. */
export type SchemaCompiler = {
  readonly terminals: Terminals;
  readonly rules: RuleDraft[];
  readonly budget: Budget;
  /** Whether a schema allows what it does not mention: properties beside declared ones, items after a prefix, other types. */
  readonly isOpen: boolean;
  readonly propertyOrder: 'schema' | 'any';
  /** A value that matches all constraints. */
  value(constraints: readonly Constraint[], path: string): Node;
  /** The same as a terminal or a call of a rule, so that the node can be used several times without copies of its parts. */
  reusable(constraints: readonly Constraint[], path: string): Node;
  /** The same, or `undefined` if nothing matches and `mayBeEmpty` is set. */
  optional(constraints: readonly Constraint[], path: string, mayBeEmpty: boolean): Node | undefined;
  /** The different values that match, as JSON, if they are constants. */
  constants(constraints: readonly Constraint[], path: string): string[] | undefined;
  /** The branches of values that match, for names of properties. */
  texts(
    constraints: readonly Constraint[],
    path: string,
  ): { limits: TextLimits; values: readonly unknown[] | undefined }[];
  /** Any JSON value, any array, any object. */
  any(kind: 'value' | 'array' | 'object'): Node;
};

export type { Branch };
