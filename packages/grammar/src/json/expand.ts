import type { Budget } from '../budget.ts';
import { GrammarError } from '../errors.ts';
import { blankBranch, commonTypes, haveCommonTypes, includesType, isClosedTo, withKeywords } from './branch.ts';
import type { Branch, ObjectPart } from './branch.ts';
import { COMBINING_KEYWORDS } from './constraint.ts';
import type { Constraint } from './constraint.ts';
import { areDisjoint } from './disjoint.ts';
import { childPath, isJsonObject, readSchemas, readText } from './keywords.ts';
import type { JsonObject } from './keywords.ts';
import { negate, otherTypes } from './negate.ts';
import { alternativesOfOtherMember } from './other-member.ts';
import type { NameContext } from './other-member.ts';

/** Maximum number of branches: all of them are active at once. */
const MAX_BRANCHES = 1000;
/** Maximum number of nested choices: each is a level of recursion. */
const MAX_CHOICES = 300;
/** The cost of adding a constraint to a branch, which is copied, in steps of work. */
const CONSTRAINT_WORK = 40;
/** The cost of comparing a branch with a constraint, in steps of work. */
const RELATION_WORK = 5;
/** Entries of copied sets per step of work. */
const COPIES_PER_STEP = 4;

export type ExpandContext = NameContext & {
  readonly budget: Budget;
  readonly strict: boolean;
  /** Whether a schema without types allows types that its keywords do not apply to. */
  readonly isOpen: boolean;
  /** Whether keywords next to `$ref` have no effect, as in drafts before 2019-09. */
  readonly ignoresKeywordsBesideRef: boolean;
  /** The schema that a reference refers to. */
  resolve(reference: string, path: string): unknown;
  checkKeywords(schema: JsonObject, path: string): void;
};

/**
 * Converts a conjunction of constraints to disjunctive normal form: a value matches all constraints if it matches at least one of the
 * branches, which have no combining keywords. A schema that leads directly back to itself is applied once.
 */
export function expand(constraints: readonly Constraint[], path: string, context: ExpandContext): Branch[] {
  const { budget, strict, isOpen } = context;
  const branches: Branch[] = [];
  const [first] = constraints;
  const onlySchema = constraints.length === 1 && first?.kind === 'schema' ? first.schema : undefined;

  const addBranch = (branch: Branch): void => {
    if (branches.push(branch) <= MAX_BRANCHES) return;
    const reason = `these schemas have more than ${MAX_BRANCHES} combinations; use fewer alternatives`;
    throw new GrammarError('limit', reason, { path });
  };

  const visit = (from: Branch, todo: readonly Constraint[], deferred: readonly Choice[], known: Known): void => {
    if (known.depth > MAX_CHOICES) {
      throw new GrammarError('limit', `more than ${MAX_CHOICES} nested alternatives`, { path });
    }
    let branch: Branch | undefined = from;
    const open = [...deferred];
    const queue = [...todo];
    const copied = known.schemas.size + known.negated.size + from.required.size + from.absent.size;
    budget.addWork(Math.ceil(copied / COPIES_PER_STEP));
    const seen = new Set(known.schemas);
    const negated = new Set(known.negated);
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      budget.addWork(CONSTRAINT_WORK + queue.length);
      if (next.kind === 'any') {
        open.push(next);
        continue;
      }
      if (next.kind === 'not') {
        const { schema: other, path: at } = target(next.schema, next.path);
        if (isJsonObject(other) && negated.has(other)) continue;
        if (isJsonObject(other)) negated.add(other);
        open.push({ kind: 'any', options: negate(other, at), path: at });
        continue;
      }
      if (next.kind === 'otherMember') {
        open.push({ kind: 'any', options: [[next]], path: next.path });
        continue;
      }
      if (next.kind !== 'schema') {
        branch = withConstraint(branch, next);
        if (branch === undefined) return;
        continue;
      }
      const { schema } = next;
      if (schema === true || (isJsonObject(schema) && seen.has(schema))) continue;
      if (schema === false) return;
      if (!isJsonObject(schema)) throw new GrammarError('syntax', 'a schema must be an object', { path: next.path });
      seen.add(schema);
      context.checkKeywords(schema, next.path);
      const reference = readText(schema, '$ref', next.path);
      if (reference !== undefined) {
        const { $ref: _, ...others } = schema;
        const referred = context.resolve(reference, next.path);
        if (referred === onlySchema) {
          throw new GrammarError('empty', 'this schema leads directly back to itself', { path });
        }
        const isAlone = context.ignoresKeywordsBesideRef;
        if (!isAlone) queue.unshift({ kind: 'schema', schema: others, path: next.path });
        queue.unshift({ kind: 'schema', schema: referred, path: pointerOf(reference, next.path) });
        continue;
      }
      branch = withKeywords(branch, schema, next.path, strict);
      if (branch === undefined) return;
      queue.unshift(...combined(schema, next.path, budget, isOpen || branch.types !== undefined));
    }
    fork(branch, open, { schemas: seen, negated, depth: known.depth + 1 });
  };

  /** Follows references that have no effective keywords next to them. */
  const target = (schema: unknown, at: string): { schema: unknown; path: string } => {
    let current = schema;
    let path = at;
    for (let hops = 0; isJsonObject(current); hops++) {
      const reference = readText(current, '$ref', path);
      if (reference === undefined) break;
      if (Object.keys(current).length > 1 && !context.ignoresKeywordsBesideRef) break;
      if (hops > 50) throw new GrammarError('limit', 'circular references without a value', { path: at });
      current = context.resolve(reference, path);
      path = pointerOf(reference, path);
    }
    return { schema: current, path };
  };

  /** Branches at the choice with the fewest remaining options. */
  const fork = (branch: Branch, open: readonly Choice[], known: Known): void => {
    let rest = open.map((choice) => ({ ...choice, options: possible(branch, choice.options) }));
    rest = rest.filter(({ options }) => !options.some((option) => option.length === 0));
    // Constraints on other members come last: they need the names that all other choices add.
    const weight = ({ options }: Choice): number => options.length + (options.some(hasOtherMember) ? MAX_BRANCHES : 0);
    rest.sort((a, b) => weight(a) - weight(b));
    const [first, ...others] = rest;
    if (first === undefined) {
      addBranch(branch);
      return;
    }
    if (first.options.some(hasOtherMember)) {
      const options = first.options.flatMap((option) => withAlternatives(branch, option));
      fork(branch, [{ ...first, options }, ...others], known);
      return;
    }
    for (const option of first.options) visit(branch, option, others, known);
  };

  /** The combinations of an option in which each `otherMember` constraint is replaced by one of its alternatives. */
  const withAlternatives = (branch: Branch, option: readonly Constraint[]): (readonly Constraint[])[] => {
    let combinations: (readonly Constraint[])[] = [[]];
    for (const constraint of option) {
      const alternatives =
        constraint.kind === 'otherMember' ? alternativesOfOtherMember(branch, constraint, context) : [[constraint]];
      combinations = combinations.flatMap((before) => alternatives.map((alternative) => [...before, ...alternative]));
      budget.addWork(CONSTRAINT_WORK * combinations.length);
    }
    return combinations;
  };

  /** The options that can match together with the branch, without the constraints that the branch already implies. */
  const possible = (branch: Branch, options: readonly (readonly Constraint[])[]): (readonly Constraint[])[] => {
    const left = options.flatMap((option) => {
      const rest: Constraint[] = [];
      for (const constraint of option) {
        budget.addWork(RELATION_WORK);
        const known = relation(branch, constraint, context);
        if (known === 'excluded') return [];
        if (known === 'implied for objects') rest.push(ANY_OBJECT);
        else if (known === undefined) rest.push(constraint);
      }
      return [rest];
    });
    if (!left.some((option) => option.length === 1 && option[0] === ANY_OBJECT)) return left;
    // Options that match only objects are redundant next to one that matches all objects.
    const others = left.filter((option) => !option.some((one) => one === ANY_OBJECT || isOfObjects(one)));
    return [[ANY_OBJECT], ...others];
  };

  visit(blankBranch(path, false), constraints, [], { schemas: new Set(), negated: new Set(), depth: 0 });
  return branches;
}

type Choice = Constraint & { kind: 'any' };
/** The schemas that a branch already matches or already violates, and the number of choices that led to it. */
type Known = {
  readonly schemas: ReadonlySet<JsonObject>;
  readonly negated: ReadonlySet<JsonObject>;
  readonly depth: number;
};

function hasOtherMember(option: readonly Constraint[]): boolean {
  return option.some(({ kind }) => kind === 'otherMember');
}

const ANY_OBJECT: Constraint = { kind: 'types', types: ['object'] };

function isOfObjects({ kind }: Constraint): boolean {
  return kind === 'absent' || kind === 'mismatch';
}

/** The constraints of combining keywords. `anyType` also allows types other than objects for keywords about dependencies. */
function combined(schema: JsonObject, path: string, budget: Budget, anyType: boolean): Constraint[] {
  const out: Constraint[] = [];
  if (!Object.keys(schema).some((keyword) => COMBINING_KEYWORDS.has(keyword))) return out;
  const at = (keyword: string, index?: number | string): string =>
    index === undefined ? childPath(path, keyword) : childPath(path, keyword, index);
  const holds = (keyword: string, index?: number | string, part: unknown = schema[keyword]): Constraint => ({
    ...{ kind: 'schema', schema: part, path: at(keyword, index) },
  });
  readSchemas(schema, 'allOf', path)?.forEach((part, index) => out.push(holds('allOf', index, part)));
  const anyOf = readSchemas(schema, 'anyOf', path);
  if (anyOf) {
    out.push({ kind: 'any', options: anyOf.map((part, index) => [holds('anyOf', index, part)]), path: at('anyOf') });
  }
  const oneOf = readSchemas(schema, 'oneOf', path);
  if (oneOf) out.push({ kind: 'any', options: exactlyOne(oneOf, at('oneOf'), budget), path: at('oneOf') });
  if (schema['not'] !== undefined) out.push({ kind: 'not', schema: schema['not'], path: at('not') });
  if (schema['if'] !== undefined && (schema['then'] !== undefined || schema['else'] !== undefined)) {
    const options: Constraint[][] = [
      [holds('if'), ...(schema['then'] === undefined ? [] : [holds('then')])],
      [{ kind: 'not', schema: schema['if'], path: at('if') }, ...(schema['else'] === undefined ? [] : [holds('else')])],
    ];
    out.push({ kind: 'any', options, path: at('if') });
  }
  for (const keyword of ['dependencies', 'dependentRequired', 'dependentSchemas']) {
    const given = schema[keyword];
    if (given === undefined) continue;
    if (!isJsonObject(given)) {
      throw new GrammarError('syntax', `${keyword} must be an object`, { path: at(keyword) });
    }
    for (const name of Object.keys(given)) {
      const needs = given[name];
      const then = Array.isArray(needs) ? { required: [name, ...needsOf(needs)] } : needs;
      const options: Constraint[][] = [
        ...(anyType ? [[{ kind: 'types', types: otherTypes(['object']) } as const]] : []),
        [{ kind: 'absent', name, path: at(keyword) }],
        [holds(keyword, name, { type: 'object', required: [name] }), holds(keyword, name, then)],
      ];
      out.push({ kind: 'any', options, path: at(keyword, name) });
    }
  }
  return out;
}

function needsOf(list: readonly unknown[]): readonly unknown[] {
  return list;
}

/** Each option is one schema and the negation of those that can match the same values. */
function exactlyOne(parts: readonly unknown[], path: string, budget: Budget): Constraint[][] {
  return parts.map((part, index) => [
    { kind: 'schema', schema: part, path: childPath(path, index) },
    ...parts.flatMap((other, otherIndex): Constraint[] =>
      otherIndex === index || areDisjoint([part, other], budget)
        ? []
        : [{ kind: 'not', schema: other, path: childPath(path, otherIndex) }],
    ),
  ]);
}

function pointerOf(reference: string, path: string): string {
  return reference.startsWith('#') ? reference : childPath(path, '$ref');
}

function derivedPart(name: string, schema: unknown, negated: boolean, path: string): ObjectPart {
  return { path, properties: { [name]: schema }, patterns: [], additional: undefined, negated, derived: true };
}

/** The branch with one more constraint; `undefined` if nothing matches both. */
function withConstraint(
  branch: Branch,
  constraint: Exclude<Constraint, { kind: 'schema' | 'not' | 'any' | 'otherMember' }>,
): Branch | undefined {
  const typed = (...types: NonNullable<Branch['types']>): Branch['types'] =>
    branch.types === undefined ? types : commonTypes(branch.types, types);
  let next: Branch;
  switch (constraint.kind) {
    case 'types':
      next = { ...branch, types: typed(...constraint.types) };
      break;
    case 'excluded':
      next = { ...branch, excluded: [...branch.excluded, ...constraint.values] };
      break;
    case 'notPattern': {
      const { source, path } = constraint;
      const notPatterns = [...branch.text.notPatterns, { source, path }];
      next = { ...branch, types: typed('string'), text: { ...branch.text, notPatterns } };
      break;
    }
    case 'notMultipleOf': {
      const notMultiplesOf = [...(branch.number.notMultiplesOf ?? []), constraint.divisor];
      next = { ...branch, types: typed('integer'), number: { ...branch.number, notMultiplesOf } };
      break;
    }
    case 'absent':
    case 'mismatch': {
      const { name, path } = constraint;
      const isAbsent = constraint.kind === 'absent';
      if (isAbsent && branch.required.has(name)) return undefined;
      if (!isAbsent && branch.absent.has(name)) return undefined;
      const part = derivedPart(name, isAbsent ? false : constraint.schema, !isAbsent, path);
      next = {
        ...branch,
        types: typed('object'),
        objects: [...branch.objects, part],
        required: isAbsent ? branch.required : new Set([...branch.required, name]),
        absent: isAbsent ? new Set([...branch.absent, name]) : branch.absent,
      };
      break;
    }
    case 'otherItem': {
      const { schema, path } = constraint;
      const contained = { items: [{ kind: 'not', schema, path } as const], min: 1, max: Infinity };
      next = { ...branch, types: typed('array'), contained: [...branch.contained, contained] };
      break;
    }
  }
  return next.types?.length === 0 ? undefined : next;
}

/** Whether a branch is known to exclude or imply a constraint; `undefined` if neither is known. */
function relation(
  branch: Branch,
  constraint: Constraint,
  { budget, resolve }: ExpandContext,
): 'excluded' | 'implied' | 'implied for objects' | undefined {
  const { types } = branch;
  const without = (...named: NonNullable<Branch['types']>): boolean =>
    types !== undefined && !haveCommonTypes(types, named);
  const hasOnlyObjects = types?.every((type) => type === 'object') === true;
  switch (constraint.kind) {
    case 'types': {
      if (without(...constraint.types)) return 'excluded';
      const covered = types?.every((type) => includesType(constraint.types, type));
      return covered === true ? 'implied' : undefined;
    }
    case 'absent':
      if (without('object') || branch.required.has(constraint.name)) return 'excluded';
      if (branch.absent.has(constraint.name)) return 'implied';
      return isClosedTo(branch, constraint.name) && hasOnlyObjects ? 'implied' : undefined;
    case 'otherMember':
      return without('object') ? 'excluded' : undefined;
    case 'mismatch': {
      const { name, schema } = constraint;
      if (without('object') || branch.absent.has(name) || schema === true) return 'excluded';
      if (isClosedTo(branch, name)) return 'excluded';
      if (!branch.required.has(name)) return undefined;
      if (schema === false) return hasOnlyObjects ? 'implied' : 'implied for objects';
      if (!isJsonObject(schema)) return undefined;
      const isDisjoint = branch.objects.some(
        ({ properties, negated }) =>
          !negated && Object.hasOwn(properties, name) && areDisjoint([properties[name], schema], budget),
      );
      if (!isDisjoint) return undefined;
      // Values of other types match "properties" and "required", but not this constraint.
      return hasOnlyObjects ? 'implied' : 'implied for objects';
    }
    case 'notPattern':
      return without('string') ? 'excluded' : undefined;
    case 'notMultipleOf':
      return without('integer') ? 'excluded' : undefined;
    case 'otherItem':
      return without('array') ? 'excluded' : undefined;
    case 'schema': {
      let { schema } = constraint;
      if (schema === true) return 'implied';
      if (schema === false) return 'excluded';
      if (isJsonObject(schema) && typeof schema['$ref'] === 'string') schema = resolve(schema['$ref'], constraint.path);
      if (!isJsonObject(schema)) return undefined;
      const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
      if (
        required.some((name) => typeof name === 'string' && branch.absent.has(name)) &&
        without('string', 'number', 'boolean', 'null', 'array')
      )
        return 'excluded';
      if (types === undefined) return undefined;
      return areDisjoint([{ type: types }, schema], budget) ? 'excluded' : undefined;
    }
    default:
      return undefined;
  }
}
