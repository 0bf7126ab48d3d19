import { GrammarError } from '../errors.ts';
import { call, choice, repetition, sequence, token } from '../network/node.ts';
import type { Node } from '../network/node.ts';
import type { SchemaCompiler } from './schema-compiler.ts';
import { below, readCount, readSchemas } from './keywords.ts';
import type { JsonObject } from './keywords.ts';

const MAX_ITEMS = 10_000;
/** Prefix positions per rule: positions nest, and nodes are processed recursively. */
const PLACES = 100;

/** An array: its first items by position, then all others with one schema. */
export function compileArray(compiler: SchemaCompiler, schema: JsonObject, path: string): Node {
  const { tokens } = compiler;
  const min = readCount(schema, 'minItems', path) ?? 0;
  let max = readCount(schema, 'maxItems', path) ?? Infinity;
  if (min > max)
    throw new GrammarError('empty', 'minItems is greater than maxItems', { path: below(path, 'minItems') });
  for (const [keyword, count] of [
    ['minItems', min],
    ['maxItems', max],
  ] as const) {
    if (count !== Infinity && count > MAX_ITEMS) {
      throw new GrammarError('limit', `${keyword} is at most ${MAX_ITEMS}`, { path: below(path, keyword) });
    }
  }
  if (schema['uniqueItems'] === true && max > 1) {
    const reason = 'uniqueItems cannot be enforced during generation; remove "uniqueItems"';
    throw new GrammarError('unsupported', reason, { path: below(path, 'uniqueItems') });
  }
  const prefix = readSchemas(schema, 'prefixItems', path) ?? [];
  const { items } = schema;
  if (Array.isArray(items)) {
    const reason = 'a list of item schemas is called "prefixItems" in current JSON Schema';
    throw new GrammarError('unsupported', reason, { path: below(path, 'items') });
  }
  // Without `items`, none may follow a prefix: stricter than JSON Schema, never looser.
  const open = items === undefined ? prefix.length === 0 : items !== false;
  if (!open) max = Math.min(max, prefix.length);
  if (min > max)
    throw new GrammarError('empty', 'minItems requires more items than are described', {
      path: below(path, 'minItems'),
    });

  const begin = token(tokens.literal('['));
  const end = token(tokens.literal(']'));
  const comma = token(tokens.punctuated('', ','));
  if (max === 0) return token(tokens.literal('[]'));
  const first = prefix.slice(0, max).map((item, index) => compiler.once(item, below(path, 'prefixItems', index)));
  const other = open && max > first.length ? compiler.once(items ?? true, below(path, 'items')) : undefined;

  // The rest of the array from position `index` on, from the last position to the first.
  let tail: Node = sequence();
  if (other !== undefined) {
    const least = Math.max(0, min - Math.max(first.length, 1));
    const most = max - Math.max(first.length, 1);
    tail = most === 0 ? tail : repetition(sequence(comma, other), least, most);
  }
  for (let index = first.length - 1; index > 0; index--) {
    const more = sequence(comma, first[index] ?? sequence(), tail);
    tail = index < min ? more : choice(sequence(), more);
    if (index % PLACES === 0) tail = call(compiler.rules.push({ name: path, node: tail }) - 1);
  }
  const head = first[0] ?? other ?? sequence();
  const filled = sequence(head, tail);
  return sequence(begin, min === 0 ? choice(sequence(), filled) : filled, end);
}
