import { matchesDfa } from '../automaton/dfa.ts';
import { GrammarError } from '../errors.ts';
import { call, choice, repetition, sequence, token } from '../network/node.ts';
import type { Node } from '../network/node.ts';
import type { SchemaCompiler } from './schema-compiler.ts';
import { below, isJsonObject, readCount, readProperties, readRequired } from './keywords.ts';
import type { JsonObject } from './keywords.ts';

type Member = { name: string; schema: unknown; path: string; required: boolean };

/** Any of them can be next: all are active at once. */
const MAX_OPTIONAL = 1000;

/** An object: its declared properties in schema order, then additional ones if allowed. */
export function compileObject(compiler: SchemaCompiler, schema: JsonObject, path: string): Node {
  const { tokens } = compiler;
  const properties = readProperties(schema, path) ?? {};
  const required = readRequired(schema, path);
  // By default additional properties are not allowed beside declared ones: stricter than JSON Schema, never looser.
  const others = schema['additionalProperties'] ?? Object.keys(properties).length === 0;
  const open = others !== false;
  const members: Member[] = Object.keys(properties)
    .filter((name) => properties[name] !== false || required.has(name))
    .map((name) => ({
      name,
      schema: properties[name],
      path: below(path, 'properties', name),
      required: required.has(name),
    }));
  for (const name of required) {
    if (Object.hasOwn(properties, name)) continue;
    if (!open) {
      const reason = `"${name}" is required, but no property of that name is allowed`;
      throw new GrammarError('empty', reason, { path: below(path, 'required') });
    }
    members.push({ name, schema: others, path: below(path, 'additionalProperties'), required: true });
  }
  checkNames(compiler, schema, members, path);
  const { min, max } = counts(schema, members, open, path);

  const key = (name: string, first: boolean): Node =>
    token(tokens.punctuated(first ? '' : ',', `${JSON.stringify(name)}:`));
  const comma = token(tokens.punctuated('', ','));
  const colon = token(tokens.punctuated('', ':'));
  let further: Node | undefined;
  if (open && max > members.length) {
    const restriction = schema['propertyNames'];
    const names = isJsonObject(restriction) ? restriction : {};
    const name = tokens.otherName(Object.keys(properties).concat(...required), names, below(path, 'propertyNames'));
    further = sequence(token(name), colon, compiler.once(others, below(path, 'additionalProperties')));
  }
  const moreAfter = (first: boolean): Node => {
    if (further === undefined) return sequence();
    const most = max - members.length;
    if (!first) return repetition(sequence(comma, further), 0, most);
    const filled = sequence(further, repetition(sequence(comma, further), 0, most - 1));
    return min > 0 ? filled : choice(sequence(), filled);
  };

  const begin = token(tokens.literal('{'));
  const end = token(tokens.literal('}'));
  const lastRequired = members.findLastIndex((member) => member.required);
  const isPlain = members.every((member) => member.required);
  if (isPlain) {
    const parts = members.map(({ name, schema: inner, path: at }, index) =>
      sequence(key(name, index === 0), compiler.value(inner, at)),
    );
    return sequence(begin, ...parts, moreAfter(members.length === 0), end);
  }

  const optional = members.filter((member) => !member.required).length;
  if (optional > MAX_OPTIONAL) {
    const reason = `an object has at most ${MAX_OPTIONAL} optional properties; make some of them required`;
    throw new GrammarError('limit', reason, { path: below(path, 'properties') });
  }
  // With optional properties, what follows depends on the position and on whether it is the first: two rules each.
  let afterNone = moreAfter(true);
  let afterSome = moreAfter(false);
  for (let index = members.length - 1; index >= 0; index--) {
    const member = members[index];
    if (member === undefined) continue;
    const value = compiler.once(member.schema, member.path);
    const rest = asRule(compiler, afterSome, member.path);
    const some = sequence(key(member.name, false), value, rest);
    const none = sequence(key(member.name, true), value, rest);
    afterSome = member.required ? some : choice(some, rest);
    // Nothing can precede the first if a property before it is required.
    afterNone = member.required ? none : choice(none, asRule(compiler, afterNone, member.path));
    if (index <= lastRequired && index === 0) break;
  }
  return sequence(begin, afterNone, end);
}

function asRule(compiler: SchemaCompiler, node: Node, name: string): Node {
  if (node.kind === 'rule' || (node.kind === 'seq' && node.items.length === 0)) return node;
  return call(compiler.rules.push({ name, node }) - 1);
}

function checkNames(compiler: SchemaCompiler, schema: JsonObject, members: readonly Member[], path: string): void {
  const restriction = schema['propertyNames'];
  if (restriction === undefined || restriction === true) return;
  const at = below(path, 'propertyNames');
  const allowed = ['type', 'pattern', 'format', 'minLength', 'maxLength'];
  const other = isJsonObject(restriction) ? Object.keys(restriction).find((keyword) => !allowed.includes(keyword)) : '';
  if (!isJsonObject(restriction) || other !== undefined || (restriction['type'] ?? 'string') !== 'string') {
    const reason = `propertyNames supports ${allowed.join(', ')}, of strings`;
    throw new GrammarError('unsupported', reason, { path: at });
  }
  const names = compiler.tokens.otherName([], restriction, at);
  const outside = members.find(({ name }) => !matchesDfa(names.dfa, JSON.stringify(name)));
  if (outside === undefined) return;
  const reason = `the property "${outside.name}" is invalid for propertyNames`;
  throw new GrammarError('empty', reason, { path: at });
}

function counts(
  schema: JsonObject,
  members: readonly Member[],
  open: boolean,
  path: string,
): { min: number; max: number } {
  const min = readCount(schema, 'minProperties', path) ?? 0;
  const max = readCount(schema, 'maxProperties', path) ?? Infinity;
  const sure = members.filter((member) => member.required).length;
  // An additional name can occur twice and count once, so that only one can be guaranteed.
  const minIsKept = min <= sure || (min === 1 && open && members.length === 0);
  if (!minIsKept) {
    const reason =
      'minProperties is supported up to the number of required properties, or as 1 in an object without declared ones';
    throw new GrammarError('unsupported', reason, { path: below(path, 'minProperties') });
  }
  if (max < members.length || (max !== Infinity && max > 1000)) {
    const reason = `maxProperties is supported from the number of declared properties (${members.length}) to 1000`;
    throw new GrammarError('unsupported', reason, { path: below(path, 'maxProperties') });
  }
  return { min, max };
}
