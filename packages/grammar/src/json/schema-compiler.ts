import type { Budget } from '../budget.ts';
import type { Node } from '../network/node.ts';
import type { RuleDefinition } from '../network/build.ts';
import type { Branch, TextLimits } from './branch.ts';
import type { Constraint } from './constraint.ts';
import type { Terminals } from './terminals.ts';

/** Compiles the schemas of one document. */
export type SchemaCompiler = {
  readonly terminals: Terminals;
  readonly rules: RuleDefinition[];
  readonly budget: Budget;
  /** Whether a schema allows what it does not mention: additional properties, items after `prefixItems`, other types. */
  readonly isOpen: boolean;
  readonly propertyOrder: 'schema' | 'any';
  /** The node of values that match all constraints. */
  value(constraints: readonly Constraint[], path: string): Node;
  /** Like `value`, but always a terminal or a call of a rule, which can be used several times without copying its parts. */
  reusable(constraints: readonly Constraint[], path: string): Node;
  /** Like `reusable`, but returns `undefined` instead of throwing if nothing matches and `mayBeEmpty` is true. */
  optional(constraints: readonly Constraint[], path: string, mayBeEmpty: boolean): Node | undefined;
  /** The distinct values that match, as JSON; `undefined` if they are not all constants. */
  constants(constraints: readonly Constraint[], path: string): string[] | undefined;
  /** The limits and constants of the strings that match, for property names. */
  texts(
    constraints: readonly Constraint[],
    path: string,
  ): { limits: TextLimits; values: readonly unknown[] | undefined }[];
  /** The node of any JSON value, array or object. */
  any(kind: 'value' | 'array' | 'object'): Node;
};

export type { Branch };
