import { compileJsonSchema, GrammarError } from '@modelwire/grammar';
import type { State } from '@modelwire/grammar';

/** Tells what is wrong with a text that should be JSON of some shape; undefined where it fits. */
export type JsonShape = (text: string) => string | undefined;

/** Any JSON object (interface: `response_format`, `json_object`). */
export const jsonObject: JsonShape = (text) => {
  const parsed = parse(text);
  if (!parsed) return 'it is not JSON';
  return isObject(parsed.value) ? undefined : 'it is JSON, but no object';
};

/**
 * JSON that fits a schema. The judge is the compiled grammar that engines decode under: a pattern of the schema costs no
 * more than its length. Order of properties and white space are free here, as they are in JSON.
 *
 * @throws GrammarError for a schema that cannot be held to.
 */
export function jsonOfSchema(schema: Readonly<Record<string, unknown>>, strict: boolean): JsonShape {
  const grammar = compileJsonSchema(schema, { strict });
  const order = propertyOrder(schema);
  return (text) => {
    const parsed = parse(text);
    if (!parsed) return 'it is not JSON';
    const walk = new Walk(order);
    try {
      const end = walk.through(grammar.start(), parsed.value, '$');
      return end?.canEnd() ? undefined : `it does not fit the schema at ${walk.trouble}`;
    } catch (error) {
      if (error instanceof GrammarError || error instanceof RangeError) return 'it is too large to be checked';
      throw error;
    }
  };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Ways to order properties that are tried in all, beyond one look at each. */
const maxTries = 100_000;

/** Writes a value as the grammar wants it: compact, its properties in the order that the grammar allows. */
class Walk {
  /** The last place where the grammar did not go on. */
  trouble = '$';
  readonly #order: ReadonlyMap<string, number>;
  #tries = 0;

  constructor(order: ReadonlyMap<string, number>) {
    this.#order = order;
  }

  through(state: State, value: unknown, path: string): State | undefined {
    if (Array.isArray(value)) return this.#list(state, value, path);
    if (isObject(value)) return this.#object(state, value, path);
    // JSON.parse makes infinity of what is too large, and JSON.stringify null of that.
    const fits =
      typeof value === 'number' && !Number.isFinite(value) ? undefined : state.advance(JSON.stringify(value));
    return fits ?? this.#stuck(path);
  }

  #list(state: State, items: readonly unknown[], path: string): State | undefined {
    let at = state.advance('[');
    for (const [index, item] of items.entries()) {
      const before = index === 0 ? at : at?.advance(',');
      at = before && this.through(before, item, `${path}[${index}]`);
      if (!at) return before ? undefined : this.#stuck(path);
    }
    return at?.advance(']') ?? this.#stuck(path);
  }

  #object(state: State, value: Readonly<Record<string, unknown>>, path: string): State | undefined {
    const place = (name: string): number => this.#order.get(name) ?? Infinity;
    const names = Object.keys(value).sort((a, b) => (place(a) < place(b) ? -1 : Number(place(a) > place(b))));
    const rest = (at: State, left: readonly string[], comma: string): State | undefined => {
      if (left.length === 0) return at.advance('}') ?? this.#stuck(path);
      let tried = false;
      for (const name of left) {
        if (++this.#tries > maxTries) throw new RangeError('too many orders of properties');
        const before = at.advance(`${comma}${JSON.stringify(name)}:`);
        if (!before) continue;
        tried = true;
        const after = this.through(before, value[name], `${path}.${name}`);
        const end =
          after &&
          rest(
            after,
            left.filter((other) => other !== name),
            ',',
          );
        if (end) return end;
      }
      return tried ? undefined : this.#stuck(path);
    };
    const open = state.advance('{');
    return open ? rest(open, names, '') : this.#stuck(path);
  }

  /** There is no such state. */
  #stuck(path: string): State | undefined {
    this.trouble = path;
    return undefined;
  }
}

/** Where each property is named first in a schema: most often the only order that the grammar allows. */
function propertyOrder(schema: unknown): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (!isObject(node)) return;
    const { properties } = node;
    if (isObject(properties)) {
      for (const name of Object.keys(properties)) if (!order.has(name)) order.set(name, order.size);
    }
    Object.values(node).forEach(visit);
  };
  visit(schema);
  return order;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
