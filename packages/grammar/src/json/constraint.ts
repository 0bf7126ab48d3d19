import type { TypeName } from './keywords.ts';

/** A condition on a value. A list of constraints is a conjunction. */
export type Constraint =
  | { readonly kind: 'schema'; readonly schema: unknown; readonly path: string }
  /** The value does not match the schema. */
  | { readonly kind: 'not'; readonly schema: unknown; readonly path: string }
  | { readonly kind: 'types'; readonly types: readonly TypeName[] }
  | { readonly kind: 'excluded'; readonly values: readonly unknown[]; readonly path: string }
  | { readonly kind: 'notPattern'; readonly source: string; readonly path: string }
  | { readonly kind: 'notMultipleOf'; readonly divisor: number; readonly path: string }
  /** An object without this property. */
  | { readonly kind: 'absent'; readonly name: string; readonly path: string }
  /** An object with this property, whose value does not match the schema. */
  | { readonly kind: 'mismatch'; readonly name: string; readonly schema: unknown; readonly path: string }
  /** An object with a property that is none of `names` and matches none of `patterns`, whose value does not match the schema. */
  | {
      readonly kind: 'otherMember';
      readonly names: ReadonlySet<string>;
      readonly patterns: readonly string[];
      readonly schema: unknown;
      readonly path: string;
    }
  /** An array with an item that does not match the schema. */
  | { readonly kind: 'otherItem'; readonly schema: unknown; readonly path: string }
  /** A disjunction: at least one of the lists holds. */
  | { readonly kind: 'any'; readonly options: readonly (readonly Constraint[])[]; readonly path: string };

/** Keywords that combine schemas, or make one depend on another. */
export const COMBINING_KEYWORDS: ReadonlySet<string> = new Set([
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
]);

/** Returns a function that computes keys of constraints: two with equal keys have the identical schema object. */
export function createIdentities(): (constraint: Constraint) => string | undefined {
  const ids = new WeakMap<object, number>();
  let last = 0;
  return (constraint) => {
    if (constraint.kind !== 'schema' && constraint.kind !== 'not') return undefined;
    const { schema, kind } = constraint;
    if (typeof schema !== 'object' || schema === null) return `${kind}${String(schema)}`;
    let id = ids.get(schema);
    if (id === undefined) ids.set(schema, (id = ++last));
    return `${kind}${id}`;
  };
}
