import type { Grammars } from '../grammar/grammars.ts';
import { leafGrammarBudget, leafValue } from './leaf.ts';
import type { LeafGrammarBudget, Steps } from './leaf.ts';
import { isRecord, listOf, optionsOf, propertiesOf, resolved, typesOf } from './schema.ts';
import type { Schema } from './schema.ts';
import { members, quotedIn } from './phrases.ts';
import { Source } from './source.ts';
import type { Words } from './source.ts';

/** Past so many levels the shortest way out of a recursive schema is taken. */
const deep = 5;
const deepest = 24;
/** Steps of work for one text: a value is one, a list of constants more. */
const maxSteps = 1500;
/** Constants and alternatives that are looked at in one step. */
const constantsPerStep = 100;
/** Texts of one list that are tried. */
const maxListed = 200;
/** Values are looked for in this many characters of the prompt and of what was said before it. */
const maxWords = 8000;
/** Optional properties are only filled where the words name them. */
type Need = 'must' | 'may';

interface Filling {
  readonly root: unknown;
  readonly source: Source;
  readonly grammars: Grammars;
  readonly leafGrammars: LeafGrammarBudget;
  readonly steps: Steps;
}

/**
 * A value for a schema, filled from words where names and types allow it. It mostly fits the schema; whoever needs that for
 * certain holds it against the grammar. Yields before each value.
 */
export function* fill(
  schema: unknown,
  words: Words,
  grammars: Grammars,
  leafGrammars: LeafGrammarBudget = leafGrammarBudget(),
): Generator<void, unknown> {
  const source = new Source({ ...words, text: words.text.slice(0, maxWords), around: words.around.slice(-maxWords) });
  const steps = { left: maxSteps, leaves: new Map() };
  return yield* value(schema, '', { root: schema, source, grammars, leafGrammars, steps }, 0, 'must');
}

/** Undefined: nothing in the words is meant for a place that may stay empty. */
function* value(given: unknown, name: string, filling: Filling, depth: number, need: Need): Generator<void, unknown> {
  yield;
  const { steps } = filling;
  if (steps.left-- <= 0 || depth > deepest) return need === 'may' ? undefined : null;
  const schema = resolved(given, filling.root);
  const constants = 'const' in schema ? [schema['const']] : listOf(schema['enum']);
  steps.left -= Math.floor((constants.length + optionsOf(schema).length) / constantsPerStep);
  if (constants.length > 0) return constant(constants, schema, name, filling, need);
  const options = optionsOf(schema);
  if (options.length > 0) return yield* option(options, name, filling, depth, need);
  const types = typesOf(schema);
  const nullable = types.includes('null');
  const type = types.find((one) => one !== 'null') ?? (types.length === 0 ? 'string' : 'null');
  const found = yield* typed(type, schema, name, filling, depth, nullable ? 'may' : need);
  return found === undefined && nullable && need === 'must' ? null : found;
}

function* typed(
  type: string,
  schema: Schema,
  name: string,
  filling: Filling,
  depth: number,
  need: Need,
): Generator<void, unknown> {
  if (type === 'null') return need === 'may' ? undefined : null;
  if (type === 'object') return yield* object(schema, filling, depth, need);
  if (type === 'array') return yield* array(schema, name, filling, depth, need);
  return leafValue(type, schema, name, filling, need === 'must');
}

function constant(
  constants: readonly unknown[],
  schema: Schema,
  name: string,
  { source }: Filling,
  need: Need,
): unknown {
  const saidIn = (text: string): unknown => {
    const said = flat(text);
    return constants.find((one) => typeof one === 'string' && one !== '' && speaksOf(said, one));
  };
  const said = saidIn(source.words.text) ?? saidIn(source.words.around);
  if (said !== undefined) return said;
  if (constants.length === 1 && (need === 'must' || source.mentions(name))) return constants[0];
  if (need === 'may') return undefined;
  const { default: preset } = schema;
  return constants.includes(preset) ? preset : constants[0];
}

/** Whole words in lower case, `_` and `-` as spaces. */
function flat(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}

/** Whether a flat text holds the words of a constant; `kilometers` is also found in `kilometer`. */
function speaksOf(said: string, constantText: string): boolean {
  const wanted = flat(constantText);
  return (
    wanted.trim() !== '' &&
    (said.includes(wanted) || (wanted.length > 6 && said.includes(wanted.trimEnd().replace(/s$/, ''))))
  );
}

function* option(
  options: readonly unknown[],
  name: string,
  filling: Filling,
  depth: number,
  need: Need,
): Generator<void, unknown> {
  const isNull = (one: unknown): boolean =>
    typesOf(resolved(one, filling.root)).every((type) => type === 'null') &&
    typesOf(resolved(one, filling.root)).length > 0;
  const others = options.filter((one) => !isNull(one));
  const hasNull = others.length < options.length;
  if (depth > deep) {
    const [plain] = options
      .map((one) => ({ one, weight: weightOf(one, filling.root) }))
      .sort((a, b) => a.weight - b.weight);
    return yield* value(plain?.one, name, filling, depth + 1, 'must');
  }
  for (const one of others) {
    const found = yield* value(one, name, filling, depth + 1, 'may');
    if (found !== undefined) return found;
  }
  if (hasNull && need === 'must') return null;
  return need === 'may' ? undefined : yield* value(others[0] ?? options[0], name, filling, depth + 1, 'must');
}

const weights = new WeakMap<object, number>();

/** What leads out of a recursion first: nothing, then what names no other schema, then lists, which may be empty. */
function weightOf(option: unknown, root: unknown): number {
  if (!isRecord(option)) return weighed(option, root);
  let weight = weights.get(option);
  if (weight === undefined) weights.set(option, (weight = weighed(option, root)));
  return weight;
}

function weighed(option: unknown, root: unknown): number {
  const types = typesOf(resolved(option, root));
  if (types.length > 0 && types.every((type) => type === 'null')) return 0;
  if (isRecord(option) && !('$ref' in option) && !JSON.stringify(option).includes('"$ref"'))
    return types.includes('object') ? 2 : 1;
  return types.includes('array') ? 3 : 4;
}

function* object(schema: Schema, filling: Filling, depth: number, need: Need): Generator<void, unknown> {
  const required = new Set(listOf(schema['required']));
  const out: [string, unknown][] = [];
  let meant = false;
  for (const [name, property] of propertiesOf(schema)) {
    const must = required.has(name);
    if (!must && depth > deep) continue;
    if (need === 'may' && must) {
      const found = yield* value(property, name, filling, depth + 1, 'may');
      if (found !== undefined) meant = true;
      out.push([name, found ?? (yield* value(property, name, filling, depth + 1, 'must'))]);
      continue;
    }
    const found = yield* value(property, name, filling, depth + 1, must ? 'must' : 'may');
    if (found === undefined) continue;
    out.push([name, found]);
    meant = true;
  }
  return need === 'may' && !meant ? undefined : Object.fromEntries(out);
}

function* array(schema: Schema, name: string, filling: Filling, depth: number, need: Need): Generator<void, unknown> {
  const least = count(schema['minItems']) ?? 0;
  const most = count(schema['maxItems']) ?? Infinity;
  const prefix = listOf(schema['prefixItems']);
  if (prefix.length > 0) {
    const out: unknown[] = [];
    for (const item of prefix) out.push(yield* value(item, name, filling, depth + 1, 'must'));
    return out;
  }
  const items = schema['items'];
  function* fallback(): Generator<void, unknown[]> {
    const out: unknown[] = [];
    for (let left = Math.min(least, filling.steps.left); left > 0; left--) {
      out.push(yield* value(items, name, filling, depth + 1, 'must'));
    }
    return out;
  }
  if (most === 0 || depth > deep) return need === 'may' ? undefined : yield* fallback();
  const listed =
    items === undefined ? undefined : yield* listItems(resolved(items, filling.root), name, filling, depth);
  const found = (listed ?? []).slice(0, Math.min(most, 50));
  if (found.length === 0) {
    if (need === 'may') return undefined;
    const one =
      least === 0 && items !== undefined && items !== false
        ? [yield* value(items, name, filling, depth + 1, 'must')]
        : [];
    return one.length > 0 ? one : yield* fallback();
  }
  while (found.length < least && filling.steps.left > 0) {
    found.push(yield* value(items, name, filling, depth + 1, 'must'));
  }
  return found;
}

/** Items that the words list: all the numbers, the quotations, the names, or what stands behind a colon with commas between. */
function* listItems(
  items: Schema,
  name: string,
  filling: Filling,
  depth: number,
): Generator<void, unknown[] | undefined> {
  const { source } = filling;
  const { text } = source.words;
  const [type = 'string'] = typesOf(items);
  if (type === 'number' || type === 'integer') {
    const { meant, other } = source.numbers(name);
    return [...meant, ...other].filter((one) => type === 'number' || Number.isInteger(one));
  }
  if (type === 'string') {
    const said = flat(text);
    const constants = listOf(items['enum']).filter((one) => typeof one === 'string' && speaksOf(said, one));
    if (constants.length > 0 || 'enum' in items || 'const' in items) return constants;
    const { meant, other } = source.listed(name);
    const quoted = quotedIn(text);
    const colon = /:\s*([^\n]{3,600})$/m.exec(text)?.[1];
    const behind = colon === undefined ? [] : members(colon);
    const list =
      quoted.length > 1
        ? quoted
        : behind.length > 1
          ? behind
          : other.length > 1
            ? other
            : meant.length > 0
              ? meant
              : other;
    return list.slice(0, maxListed).filter((one) => {
      const own = { ...filling, source: source.of(`"${one}"`) };
      return filling.steps.left-- > 0 && leafValue('string', items, name, own, true) === one;
    });
  }
  if (type !== 'object') return undefined;
  // A record for each line, sentence or member that fills one.
  const parts = text.split(/\n+|;\s+|(?<=[.!?])\s+|,?\s+and\s+|,\s+/).filter((part) => part.trim() !== '');
  const found: unknown[] = [];
  for (const part of parts.slice(0, 20)) {
    const record = yield* object(items, { ...filling, source: source.of(part) }, depth + 1, 'may');
    if (record !== undefined) found.push(record);
  }
  return found.length > 1 ? found : undefined;
}

function count(given: unknown): number | undefined {
  return typeof given === 'number' && Number.isInteger(given) && given >= 0 ? given : undefined;
}
