import { GrammarError } from '../errors.ts';
import { call, choice, repetition, sequence, terminal } from '../network/node.ts';
import type { Node } from '../network/node.ts';
import type { Branch, Contained } from './branch.ts';
import type { Constraint } from './constraint.ts';
import type { SchemaCompiler } from './schema-compiler.ts';
import { childPath } from './keywords.ts';

const MAX_ITEMS = 10_000;
/** The number of prefix items per rule: items nest, and nodes are processed recursively. */
const POSITIONS_PER_RULE = 100;
/** Maximum number of constants of unique items: all that have not occurred yet are active at once. */
const MAX_UNIQUE = 200;
/** Maximum number of rules for `contains`: one for each position and count. */
const MAX_COUNTED = 2000;

/** Compiles an array: its first items by position, then all others with the same constraints. */
export function compileArray(compiler: SchemaCompiler, branch: Branch): Node {
  const { terminals } = compiler;
  const { path, minItems: min, arrays } = branch;
  const at = (keyword: string): string => childPath(branch.origins.get(keyword) ?? path, keyword);
  let max = branch.maxItems;
  if (min > max) throw new GrammarError('empty', 'minItems is greater than maxItems', { path: at('minItems') });
  for (const [keyword, count] of [
    ['minItems', min],
    ['maxItems', max],
  ] as const) {
    if (count !== Infinity && count > MAX_ITEMS) {
      throw new GrammarError('limit', `${keyword} can be at most ${MAX_ITEMS}`, { path: at(keyword) });
    }
  }
  const length = arrays.reduce((max, { prefix }) => Math.max(max, prefix.length), 0);
  // Without `items`, no item may follow `prefixItems`, unless unspecified values are allowed.
  for (const { prefix, items } of arrays) {
    const isClosed = items === false || (items === undefined && prefix.length > 0 && !compiler.isOpen);
    if (isClosed) max = Math.min(max, prefix.length);
  }
  if (min > max) {
    throw new GrammarError('empty', 'minItems requires more items than are described', { path: at('minItems') });
  }
  if (max === 0) {
    if (branch.contained.some((contained) => contained.min > 0)) {
      throw new GrammarError('empty', 'contains requires an item, but none is allowed', { path: at('contains') });
    }
    return sequence(terminal(terminals.open('[')), terminal(terminals.close(']')));
  }
  const itemAt = (index: number): Constraint[] => itemConstraints(branch, index);
  const others = itemAt(length);
  if (branch.isUnique && max > 1) return uniqueItems(compiler, branch, { min, max, length, others });
  if (branch.contained.length > 0) return containing(compiler, branch, { min, max, length, others });

  const comma = terminal(terminals.punctuated('', ','));
  const first = Array.from({ length: Math.min(length, max) }, (_, index) =>
    compiler.reusable(itemAt(index), pathOf(itemAt(index), path)),
  );
  const other =
    max > first.length
      ? compiler.optional(
          others,
          pathOf(others, childPath(path, 'items')),
          min <= first.length && (compiler.isOpen || others.length > 1),
        )
      : undefined;

  // The rest of the array after each position, built from the last position to the first.
  let tail: Node = sequence();
  if (other !== undefined) {
    const minOthers = Math.max(0, min - Math.max(first.length, 1));
    const remaining = max - Math.max(first.length, 1);
    tail = remaining === 0 ? tail : repetition(sequence(comma, other), minOthers, remaining);
  }
  for (let index = first.length - 1; index > 0; index--) {
    const withItem = sequence(comma, first[index] ?? sequence(), tail);
    tail = index < min ? withItem : choice(sequence(), withItem);
    if (index % POSITIONS_PER_RULE === 0) tail = call(compiler.rules.push({ name: path, node: tail }) - 1);
  }
  const head = first[0] ?? other;
  const filled = head === undefined ? choice() : sequence(head, tail);
  return inBrackets(compiler, min === 0 ? choice(sequence(), filled) : filled);
}

function inBrackets({ terminals }: SchemaCompiler, items: Node): Node {
  return sequence(terminal(terminals.open('[')), items, terminal(terminals.close(']')));
}

function pathOf([first]: readonly Constraint[], defaultPath: string): string {
  return first !== undefined && 'path' in first ? first.path : defaultPath;
}

/** The constraints of the item at a position. */
function itemConstraints({ arrays }: Branch, index: number): Constraint[] {
  const out: Constraint[] = [];
  for (const { prefix, items, itemsPath, prefixPath } of arrays) {
    if (index < prefix.length) out.push({ kind: 'schema', schema: prefix[index], path: childPath(prefixPath, index) });
    else if (items !== undefined && items !== true) out.push({ kind: 'schema', schema: items, path: itemsPath });
  }
  return out;
}

type Items = { min: number; max: number; length: number; others: readonly Constraint[] };

/** Compiles unique items: constants in any order, each at most once. */
function uniqueItems(compiler: SchemaCompiler, branch: Branch, { min, max, length, others }: Items): Node {
  const { terminals } = compiler;
  const { path } = branch;
  const at = childPath(branch.origins.get('uniqueItems') ?? path, 'uniqueItems');
  const values = length === 0 && branch.contained.length === 0 ? compiler.constants(others, path) : undefined;
  if (values === undefined || values.length > MAX_UNIQUE) {
    const reason = `uniqueItems is supported for items of up to ${MAX_UNIQUE} constants; remove "uniqueItems"`;
    throw new GrammarError('unsupported', reason, { path: at });
  }
  if (min > values.length) {
    throw new GrammarError('empty', 'minItems requires more items than there are different values', { path: at });
  }
  const items = values.map((value) => ({
    ...{ first: terminals.literal(value), next: terminals.nextItem(value), value: undefined, isRequired: false },
  }));
  const end = terminals.close(']');
  return sequence(terminal(terminals.open('[')), { kind: 'unordered', items, others: undefined, min, max, end });
}

/** Compiles `contains`: one rule for each position and number of matching items, up to the limits. */
function containing(compiler: SchemaCompiler, branch: Branch, { min, max, length, others }: Items): Node {
  const { terminals, rules } = compiler;
  const { path, contained } = branch;
  const at = childPath(branch.origins.get('contains') ?? path, 'contains');
  const [only] = contained;
  if (contained.length > 1 || length > 0 || only === undefined) {
    throw new GrammarError(
      'unsupported',
      'contains is supported only once per array, and not together with prefixItems',
      { path: at },
    );
  }
  const positions = max === Infinity ? min : max;
  const matches = only.max === Infinity ? only.min : only.max;
  if ((positions + 1) * (matches + 1) > MAX_COUNTED) {
    const reason = 'maxItems or minItems combined with minContains or maxContains is too large; reduce them';
    throw new GrammarError('limit', reason, { path: at });
  }
  const comma = terminal(terminals.punctuated('', ','));
  const matching = compiler.optional([...others, ...only.items], at, true);
  const rest = compiler.optional(only.max === Infinity ? others : [...others, ...negated(only)], at, true);
  const nodeByKey = new Map<string, Node>();
  const after = (position: number, count: number, isFirst: boolean): Node => {
    const key = `${position} ${count} ${isFirst ? 1 : 0}`;
    const found = nodeByKey.get(key);
    if (found !== undefined) return found;
    const rule = rules.push({ name: path, node: choice() }) - 1;
    nodeByKey.set(key, call(rule));
    const lead = isFirst ? [] : [comma];
    const next = max === Infinity ? Math.min(position + 1, positions) : position + 1;
    const options: Node[] = position >= min && count >= only.min ? [sequence()] : [];
    if (max === Infinity || position < max) {
      if (rest !== undefined) options.push(sequence(...lead, rest, after(next, count, false)));
      const counted = only.max === Infinity ? Math.min(count + 1, matches) : count + 1;
      if (matching !== undefined && counted <= matches && (counted > count || rest === undefined)) {
        options.push(sequence(...lead, matching, after(next, counted, false)));
      }
    }
    rules[rule] = { name: path, node: choice(...options) };
    return call(rule);
  };
  return inBrackets(compiler, after(0, 0, true));
}

/** The constraints of an item that does not match `contains`. */
function negated({ items }: Contained): Constraint[] {
  return items.flatMap((one): Constraint[] => {
    if (one.kind === 'schema') return [{ kind: 'not', schema: one.schema, path: one.path }];
    return one.kind === 'not' ? [{ kind: 'schema', schema: one.schema, path: one.path }] : [];
  });
}
