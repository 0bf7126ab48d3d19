import type { Budget } from '../budget.ts';
import { GrammarError } from '../errors.ts';
import { ANNOTATIONS, below, isJsonObject, readNumber, readProperties, readRequired, readTypes } from './keywords.ts';
import type { JsonObject, TypeName } from './keywords.ts';

/** The cost of a name and of generated characters, in steps of work. */
const NAME_WORK = 8;
const CHARACTERS_PER_STEP = 2;

/** The intersection of two schemas as one schema, or an error if it cannot be expressed by keywords. */
export function mergeSchemas(a: unknown, b: unknown, path: string, budget: Budget): unknown {
  if (a === true) return b;
  if (b === true) return a;
  if (a === false || b === false) throw new GrammarError('empty', 'false allows no value', { path });
  if (!isJsonObject(a) || !isJsonObject(b)) throw new GrammarError('syntax', 'a schema must be an object', { path });
  const merged: Record<string, unknown> = { ...a };
  const keywords = Object.keys(b);
  budget.work(NAME_WORK * (Object.keys(merged).length + keywords.length));
  for (const keyword of keywords) {
    if (['properties', 'required', 'additionalProperties'].includes(keyword)) continue;
    // Not a keyword, and assigning it would set the prototype.
    if (keyword === '__proto__') continue;
    const isInBoth = Object.hasOwn(a, keyword) && a[keyword] !== undefined;
    merged[keyword] = isInBoth ? mergeKeyword(keyword, a, b, path, budget) : b[keyword];
  }
  mergeMembers(merged, a, b, path, budget);
  return merged;
}

const GREATER: ReadonlySet<string> = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const LESS: ReadonlySet<string> = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

function mergeKeyword(keyword: string, a: JsonObject, b: JsonObject, path: string, budget: Budget): unknown {
  const left = a[keyword];
  const right = b[keyword];
  if (ANNOTATIONS.has(keyword) || same(left, right, budget)) return left;
  if (GREATER.has(keyword)) return Math.max(readNumber(a, keyword, path) ?? 0, readNumber(b, keyword, path) ?? 0);
  if (LESS.has(keyword)) return Math.min(readNumber(a, keyword, path) ?? 0, readNumber(b, keyword, path) ?? 0);
  if (keyword === 'type') return commonTypes(a, b, path);
  if (keyword === 'enum' && Array.isArray(left) && Array.isArray(right)) {
    budget.work(NAME_WORK * (left.length + right.length));
    const texts = new Set(right.map((value) => JSON.stringify(value)));
    const values: readonly unknown[] = left;
    return values.filter((value) => texts.has(JSON.stringify(value)));
  }
  if (keyword === 'items' || keyword === 'propertyNames') return { allOf: [left, right] };
  if (keyword === 'uniqueItems') return left === true || right === true;
  const reason = `different values of "${keyword}" cannot be combined; write the combined schema yourself`;
  throw new GrammarError('unsupported', reason, { path: below(path, keyword) });
}

function commonTypes(a: JsonObject, b: JsonObject, path: string): TypeName[] {
  const left = readTypes(a, path) ?? [];
  const right = readTypes(b, path) ?? [];
  const holds = (types: readonly TypeName[], type: TypeName): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  const common = [...left.filter((type) => holds(right, type)), ...right.filter((type) => holds(left, type))];
  if (common.length === 0)
    throw new GrammarError('empty', 'no type is valid for both schemas', { path: below(path, 'type') });
  return [...new Set(common)];
}

function mergeMembers(
  merged: Record<string, unknown>,
  a: JsonObject,
  b: JsonObject,
  path: string,
  budget: Budget,
): void {
  const left = readProperties(a, path);
  const right = readProperties(b, path);
  const required = [...new Set([...readRequired(a, path), ...readRequired(b, path)])];
  budget.work(NAME_WORK * required.length);
  if (required.length > 0) merged['required'] = required;
  const restA = a['additionalProperties'];
  const restB = b['additionalProperties'];
  if (restA !== undefined || restB !== undefined) merged['additionalProperties'] = both(restA, restB, budget);
  if (!left && !right) return;
  const names = [...new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})])];
  budget.work(NAME_WORK * names.length);
  merged['properties'] = Object.fromEntries(
    names.map((name) => {
      const inLeft = left && Object.hasOwn(left, name) ? left[name] : restA;
      const inRight = right && Object.hasOwn(right, name) ? right[name] : restB;
      return [name, both(inLeft, inRight, budget)];
    }),
  );
}

/** The intersection of two optional schemas. */
function both(a: unknown, b: unknown, budget: Budget): unknown {
  if (a === false || b === false) return false;
  if (a === undefined || a === true) return b ?? true;
  if (b === undefined || b === true) return a;
  return same(a, b, budget) ? a : { allOf: [a, b] };
}

function same(a: unknown, b: unknown, budget: Budget): boolean {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  budget.work(Math.ceil((left.length + right.length) / CHARACTERS_PER_STEP));
  return left === right;
}
