import { allowsOtherNames } from './branch.ts';
import type { Branch } from './branch.ts';
import type { Constraint } from './constraint.ts';
import type { JsonObject } from './keywords.ts';

export type OtherMember = Constraint & { kind: 'otherMember' };

export type NameContext = {
  /** Whether a schema without `additionalProperties` allows additional names. */
  readonly isOpen: boolean;
  /** Whether a name matches a pattern of `patternProperties`. */
  matchesPattern(source: string, name: string, path: string): boolean;
};

/** Maximum number of properties that become alternatives. */
const MAX_ALTERNATIVES = 16;

type Names = {
  /** The known names that the negated schema does not declare, required ones first. */
  readonly outside: readonly string[];
  /** Whether there are known names that the negated schema declares. */
  readonly hasInside: boolean;
  /** Whether additional names are allowed. */
  readonly hasUnknown: boolean;
};

function namesOf(branch: Branch, { names, patterns, path }: OtherMember, context: NameContext): Names {
  const known = new Set(branch.required);
  let hasUnknown = allowsOtherNames(branch, context.isOpen);
  for (const { properties, patterns: objectPatterns } of branch.objects) {
    for (const name of Object.keys(properties)) if (properties[name] !== false) known.add(name);
    hasUnknown ||= objectPatterns.length > 0;
  }
  const possible = [...known].filter((name) => !branch.absent.has(name));
  const outside = possible.filter(
    (name) => !names.has(name) && !patterns.some((source) => context.matchesPattern(source, name, path)),
  );
  outside.sort((a, b) => Number(branch.required.has(b)) - Number(branch.required.has(a)));
  return { outside, hasInside: outside.length < possible.length, hasUnknown };
}

/**
 * The alternatives in which an object of the branch has a member that the negated schema does not declare and whose value does not
 * match its `additionalProperties`. If names are not known, all members must be such members.
 */
export function alternativesOfOtherMember(
  branch: Branch,
  constraint: OtherMember,
  context: NameContext,
): Constraint[][] {
  const { names, patterns, schema, path } = constraint;
  const { outside, hasInside, hasUnknown } = namesOf(branch, constraint, context);
  const holds = (rest: JsonObject): Constraint[][] => [
    [{ kind: 'schema', schema: { type: 'object', minProperties: 1, ...rest }, path }],
  ];
  if (schema === false && outside.some((name) => branch.required.has(name))) {
    return [[{ kind: 'types', types: ['object'] }]];
  }
  if (schema === false && !hasInside && !hasUnknown) {
    // Other choices can still add names.
    return outside.length === 0 ? [] : holds({ propertyNames: { enum: [...outside] } });
  }
  if (outside.length > 0) {
    return outside.slice(0, MAX_ALTERNATIVES).map((name) => [{ kind: 'mismatch', name, schema, path }]);
  }
  if (!hasUnknown) return [];
  const described = [...(names.size === 0 ? [] : [{ enum: [...names] }]), ...patterns.map((pattern) => ({ pattern }))];
  return holds({
    ...(described.length === 0 ? {} : { propertyNames: { not: { anyOf: described } } }),
    ...(schema === false ? {} : { additionalProperties: { not: schema } }),
  });
}
