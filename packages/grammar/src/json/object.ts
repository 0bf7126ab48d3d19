import { isEmptyDfa, matchesDfa } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';
import { GrammarError } from '../errors.ts';
import { call, choice, repetition, sequence, terminal } from '../network/node.ts';
import type { Node, Terminal } from '../network/node.ts';
import { allowsOtherNames, freeText, isFreeText } from './branch.ts';
import type { Branch, ObjectPart } from './branch.ts';
import type { Constraint } from './constraint.ts';
import { childPath } from './keywords.ts';
import type { SchemaCompiler } from './schema-compiler.ts';

type Member = { name: string; value: readonly Constraint[]; path: string; required: boolean };

/** Maximum number of optional properties: any of them can be next, so that all are active at once. */
const MAX_OPTIONAL = 1000;
/** Maximum number of classes of names, which differ in the patterns that they match. */
const MAX_CLASSES = 200;
/** Maximum number of properties in any order together with `minProperties`: each state searches for the shortest ones. */
const MAX_CHOSEN = 200;
/** Maximum number of rules for `minProperties` and `maxProperties`: one for each position and count. */
const MAX_COUNTED = 20_000;

/** Compiles an object: its declared properties in schema order, then additional ones if allowed; or all of them in any order. */
export function compileObject(compiler: SchemaCompiler, branch: Branch): Node {
  const { terminals } = compiler;
  const { path } = branch;
  const isOpen = allowsOtherNames(branch, compiler.isOpen);
  const patterns = patternsOf(compiler, branch);
  const names = new Set<string>();
  for (const { properties } of branch.objects) for (const name of Object.keys(properties)) names.add(name);
  for (const name of branch.required) names.add(name);
  const allowed = allowedNames(compiler, branch);

  const members: Member[] = [];
  for (const name of names) {
    const required = branch.required.has(name);
    const isDeclared = branch.objects.some(({ properties }) => Object.hasOwn(properties, name));
    const matching = patterns.filter(({ dfa }) => matchesDfa(dfa, JSON.stringify(name)));
    if (!isDeclared && !isOpen && matching.length === 0) {
      const reason = `"${name}" is required, but no property of that name is allowed`;
      throw new GrammarError('empty', reason, { path: childPath(origin(branch, 'required'), 'required') });
    }
    if (allowed !== undefined && !allowed.some((dfa) => matchesDfa(dfa, JSON.stringify(name)))) {
      if (!required && !branch.isSingle) continue;
      const reason = `the property "${name}" is invalid for propertyNames`;
      const at = childPath(origin(branch, 'propertyNames'), 'propertyNames');
      throw new GrammarError('empty', reason, { path: at });
    }
    const value = valueConstraints(
      branch,
      name,
      matching.map(({ source }) => source),
    );
    const impossible = value.find((each) => each.kind === 'schema' && each.schema === false);
    if (impossible !== undefined && 'path' in impossible) {
      if (!required) continue;
      // Fails before the other members are compiled.
      throw new GrammarError('empty', 'false allows no value', { path: impossible.path });
    }
    const at = value[0] !== undefined && 'path' in value[0] ? value[0].path : path;
    members.push({ name, value, path: at, required });
  }
  const { min, max } = counts(branch, members, isOpen || patterns.length > 0);

  const key = (name: string, first: boolean): Node => terminal(terminals.memberName(name, first));
  const comma = terminal(terminals.punctuated('', ','));
  const additional = additionalMember(compiler, branch, { names: [...names], patterns, allowed, isOpen });
  /** The additional members after `count` other members. */
  const additionalAfter = (first: boolean, count: number): Node => {
    const isEnough = count >= min;
    if (additional === undefined || count >= max) return isEnough ? sequence() : choice();
    // Additional names can be equal, and then count once: only one additional member is known to be distinct.
    if (count + 1 < min) return choice();
    const remaining = max - count;
    if (!first) return repetition(sequence(comma, additional), isEnough ? 0 : 1, remaining);
    const filled = sequence(additional, repetition(sequence(comma, additional), 0, remaining - 1));
    return isEnough ? choice(sequence(), filled) : filled;
  };

  const begin = terminal(terminals.open('{'));
  const end = terminal(terminals.close('}'));
  // If unspecified values are allowed, an optional property without possible values is left out, as in JSON Schema.
  const mayBeEmpty = !branch.isSingle || compiler.isOpen;
  const mayBeOmitted = (member: Member): boolean => !member.required && (mayBeEmpty || member.value.length > 1);
  const requiredCount = members.filter(({ required }) => required).length;
  if (compiler.propertyOrder === 'any' && members.length + (additional === undefined ? 0 : 1) > 1) {
    const others = additional && {
      first: call(compiler.rules.push({ name: path, node: additional }) - 1),
      next: call(compiler.rules.push({ name: path, node: sequence(comma, additional) }) - 1),
    };
    return sequence(begin, unorderedMembers(compiler, members, { min, max, others, mayBeOmitted, path }));
  }
  if (min > requiredCount || max < members.length) {
    return sequence(begin, countedMembers(compiler, members, { min, max, key, additionalAfter, path }), end);
  }

  const isPlain = requiredCount === members.length;
  if (isPlain) {
    const parts = members.map(({ name, value, path: at }, index) =>
      sequence(key(name, index === 0), compiler.value(value, at)),
    );
    return sequence(begin, ...parts, additionalAfter(members.length === 0, members.length), end);
  }

  if (members.length - requiredCount > MAX_OPTIONAL) {
    const reason = `an object can have at most ${MAX_OPTIONAL} optional properties; make some of them required`;
    throw new GrammarError('limit', reason, { path: childPath(origin(branch, 'properties'), 'properties') });
  }
  // With optional properties, two rules for each position: one for the first member, and one after another member.
  let afterNone = additionalAfter(true, members.length);
  let afterSome = additionalAfter(false, members.length);
  for (let index = members.length - 1; index >= 0; index--) {
    const member = members[index];
    if (member === undefined) continue;
    const value = compiler.optional(member.value, member.path, mayBeOmitted(member));
    if (value === undefined) continue;
    const rest = asRule(compiler, afterSome, member.path);
    const some = sequence(key(member.name, false), value, rest);
    const none = sequence(key(member.name, true), value, rest);
    afterSome = member.required ? some : choice(some, rest);
    // A required property cannot be skipped, so that nothing after it can be the first.
    afterNone = member.required ? none : choice(none, asRule(compiler, afterNone, member.path));
  }
  return sequence(begin, afterNone, end);
}

function origin(branch: Branch, keyword: string): string {
  return branch.origins.get(keyword) ?? branch.path;
}

type NamePattern = { source: string; dfa: Dfa };

/** The patterns of `patternProperties` with the automata of the names that they match. */
function patternsOf({ terminals }: SchemaCompiler, { objects }: Branch): NamePattern[] {
  const found = new Map<string, NamePattern>();
  for (const { patterns, path } of objects) {
    for (const { source } of patterns) {
      if (found.has(source)) continue;
      const at = childPath(path, 'patternProperties', source);
      const limits = { ...freeText, patterns: [{ source, path: at }] };
      found.set(source, { source, dfa: terminals.string(limits, at, true).dfa });
    }
  }
  return [...found.values()];
}

/** The names that `propertyNames` allows; `undefined` if all are. */
function allowedNames(compiler: SchemaCompiler, branch: Branch): Dfa[] | undefined {
  if (branch.propertyNames.length === 0) return undefined;
  const at = childPath(origin(branch, 'propertyNames'), 'propertyNames');
  return compiler.texts(branch.propertyNames, at).map(({ limits, values }) => {
    if (values === undefined) {
      return compiler.terminals.string(
        isFreeText(limits) ? { ...limits, patterns: [{ source: '', path: at }] } : limits,
        at,
        true,
      ).dfa;
    }
    const listed = values.filter((value) => typeof value === 'string').map((value) => JSON.stringify(value));
    const { dfa } = compiler.terminals.oneOf(listed);
    if (isFreeText(limits)) return dfa;
    return compiler.terminals.product(dfa, compiler.terminals.string(limits, at, true).dfa, 'intersection');
  });
}

/** The constraints of the value of a property. */
function valueConstraints({ objects }: Branch, name: string, matching: readonly string[]): Constraint[] {
  const out: Constraint[] = [];
  for (const part of objects) {
    let isKnown = false;
    if (Object.hasOwn(part.properties, name)) {
      isKnown = true;
      const at = part.derived ? part.path : childPath(part.path, 'properties', name);
      const kind = part.negated ? 'not' : 'schema';
      out.push({ kind, schema: part.properties[name], path: at });
    }
    isKnown = addMatching(out, part, matching) || isKnown;
    if (!isKnown) addAdditional(out, part);
  }
  return out;
}

function addMatching(out: Constraint[], part: ObjectPart, matching: readonly string[]): boolean {
  let isKnown = false;
  for (const { source, schema } of part.patterns) {
    if (!matching.includes(source)) continue;
    isKnown = true;
    out.push({ kind: 'schema', schema, path: childPath(part.path, 'patternProperties', source) });
  }
  return isKnown;
}

function addAdditional(out: Constraint[], { additional, path }: ObjectPart): void {
  if (additional === undefined || additional === true) return;
  out.push({ kind: 'schema', schema: additional, path: childPath(path, 'additionalProperties') });
}

type Others = {
  names: readonly string[];
  patterns: readonly NamePattern[];
  allowed: readonly Dfa[] | undefined;
  isOpen: boolean;
};

/** Compiles a member whose name is not declared; `undefined` if none is allowed. */
function additionalMember(
  compiler: SchemaCompiler,
  branch: Branch,
  { names, patterns, allowed, isOpen }: Others,
): Node | undefined {
  const { terminals, budget } = compiler;
  const { path } = branch;
  if (!isOpen && patterns.length === 0) return undefined;
  const colon = terminal(terminals.punctuated('', ':'));
  const at = childPath(path, 'additionalProperties');
  const member = (name: Terminal, value: readonly Constraint[]): Node | undefined => {
    const node = value.some((each) => each.kind === 'schema' && each.schema === false)
      ? undefined
      : compiler.optional(value, at, compiler.isOpen || patterns.length > 0 || value.length > 1);
    return node && sequence(terminal(name), colon, node);
  };
  if (patterns.length === 0 && allowed === undefined) {
    return member(terminals.additionalName(names), additionalConstraints(branch));
  }
  // Names with the same matching patterns have the same constraints.
  const free = terminals.additionalName(names).dfa;
  let classes: { dfa: Dfa; matching: readonly string[] }[] = (allowed ?? []).map((dfa) => ({
    dfa: terminals.product(dfa, free, 'intersection'),
    matching: [],
  }));
  if (allowed === undefined) classes = [{ dfa: free, matching: [] }];
  for (const { source, dfa } of patterns) {
    classes = classes.flatMap((one) => {
      budget.addWork(50);
      return [
        { dfa: terminals.product(one.dfa, dfa, 'intersection'), matching: [...one.matching, source] },
        { dfa: terminals.product(one.dfa, dfa, 'difference'), matching: one.matching },
      ].filter((each) => !isEmptyDfa(each.dfa));
    });
    if (classes.length > MAX_CLASSES) {
      const reason = `patternProperties that overlap divide names into more than ${MAX_CLASSES} classes; use fewer patterns`;
      throw new GrammarError('limit', reason, { path: childPath(path, 'patternProperties') });
    }
  }
  const nodes = classes.flatMap(({ dfa, matching }) => {
    if (isEmptyDfa(dfa) || (matching.length === 0 && !isOpen)) return [];
    return member(terminals.name(dfa), additionalConstraints(branch, matching)) ?? [];
  });
  if (nodes.length === 0) return undefined;
  return nodes.length === 1 ? nodes[0] : call(compiler.rules.push({ name: at, node: choice(...nodes) }) - 1);
}

function additionalConstraints({ objects }: Branch, matching: readonly string[] = []): Constraint[] {
  const out: Constraint[] = [];
  for (const part of objects) if (!addMatching(out, part, matching)) addAdditional(out, part);
  return out;
}

type Counted = {
  min: number;
  max: number;
  key: (name: string, first: boolean) => Node;
  additionalAfter: (first: boolean, count: number) => Node;
  path: string;
};

/** Compiles members whose number is limited: one rule for each position and count. */
function countedMembers(
  compiler: SchemaCompiler,
  members: readonly Member[],
  { min, max, key, additionalAfter, path }: Counted,
): Node {
  const maxCount = max === Infinity ? min : max;
  if (members.length * (maxCount + 1) > MAX_COUNTED) {
    const reason = `minProperties or maxProperties is too large for an object with ${members.length} properties`;
    throw new GrammarError('limit', reason, { path });
  }
  const values = members.map(({ value, path: at, required }) => compiler.optional(value, at, !required));
  let after = Array.from({ length: maxCount + 1 }, (_, count) =>
    asRule(compiler, additionalAfter(count === 0, count), path),
  );
  for (let index = members.length - 1; index >= 0; index--) {
    const member = members[index];
    const value = values[index];
    if (member === undefined || value === undefined) continue;
    const later = after;
    after = Array.from({ length: maxCount + 1 }, (_, count) => {
      const counted = max === Infinity ? Math.min(count + 1, maxCount) : count + 1;
      const rest = later[counted];
      const included = rest === undefined ? [] : [sequence(key(member.name, count === 0), value, rest)];
      const skipped = later[count];
      const options = member.required || skipped === undefined ? included : [...included, skipped];
      return asRule(compiler, choice(...options), path);
    });
  }
  return after[0] ?? choice();
}

type AnyOrder = {
  min: number;
  max: number;
  others: { first: Node; next: Node } | undefined;
  mayBeOmitted: (member: Member) => boolean;
  path: string;
};

/** Compiles members in any order, and the closing brace. */
function unorderedMembers(
  compiler: SchemaCompiler,
  members: readonly Member[],
  { min, max, others, mayBeOmitted, path }: AnyOrder,
): Node {
  const { terminals } = compiler;
  if (members.length > MAX_OPTIONAL) {
    throw new GrammarError('limit', `an object can have at most ${MAX_OPTIONAL} properties in any order`, { path });
  }
  const requiredCount = members.filter(({ required }) => required).length;
  if (min > requiredCount && members.length > MAX_CHOSEN) {
    const reason = `minProperties is not supported with more than ${MAX_CHOSEN} properties in any order`;
    throw new GrammarError('limit', reason, { path });
  }
  const items = members.flatMap((member) => {
    const { name, required: isRequired } = member;
    const value = compiler.optional(member.value, member.path, mayBeOmitted(member));
    return value === undefined
      ? []
      : [{ first: terminals.memberName(name, true), next: terminals.memberName(name, false), value, isRequired }];
  });
  return { kind: 'unordered', items, others, min, max, end: terminals.close('}') };
}

function asRule(compiler: SchemaCompiler, node: Node, name: string): Node {
  if (node.kind === 'rule' || (node.kind === 'seq' && node.items.length === 0)) return node;
  return call(compiler.rules.push({ name, node }) - 1);
}

/** The minimum and maximum number of members. */
function counts(branch: Branch, members: readonly Member[], isOpen: boolean): { min: number; max: number } {
  const { minProperties: min, maxProperties: max } = branch;
  const possible = members.length + (isOpen ? 1 : 0);
  if (min > possible) {
    const at = childPath(origin(branch, 'minProperties'), 'minProperties');
    if (!isOpen)
      throw new GrammarError('empty', 'minProperties requires more properties than are allowed', { path: at });
    const reason = 'minProperties is supported up to the number of declared properties and one more';
    throw new GrammarError('unsupported', reason, { path: at });
  }
  const requiredCount = members.filter(({ required }) => required).length;
  if (max < requiredCount) {
    const at = childPath(origin(branch, 'maxProperties'), 'maxProperties');
    throw new GrammarError('empty', 'maxProperties allows fewer properties than are required', { path: at });
  }
  if (max !== Infinity && max > 1000) {
    const at = childPath(origin(branch, 'maxProperties'), 'maxProperties');
    throw new GrammarError('unsupported', 'maxProperties is supported up to 1000', { path: at });
  }
  return { min, max };
}
