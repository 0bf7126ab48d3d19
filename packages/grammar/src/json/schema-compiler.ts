import type { Node } from '../network/node.ts';
import type { RuleDraft } from '../network/build.ts';
import type { Tokens } from './tokens.ts';

/** Compiles the schemas of one document. */
export type SchemaCompiler = {
  readonly tokens: Tokens;
  readonly rules: RuleDraft[];
  /** A value of a schema. */
  value(schema: unknown, path: string): Node;
  /** The same as a separate rule if copies of it would be large. */
  once(schema: unknown, path: string): Node;
  /** Any JSON value, any array, any object. */
  any(kind: 'value' | 'array' | 'object'): Node;
};
