import { isRecord, runInTimeSlices } from '@modelwire/ports';
import { compileJsonSchemaSteps, GrammarError } from '@modelwire/grammar';
import type { State, Steps } from '@modelwire/grammar';

/** Returns what is wrong with a text that should be JSON of a certain shape; undefined if it is valid. */
export type JsonShape = (text: string) => string | undefined;

/** A `JsonShape` that runs in steps: many properties take seconds, and other requests can run between the steps. */
export type JsonCheck = (text: string) => Steps<string | undefined>;

/** Any JSON object (API: `response_format`, `json_object`). */
export function* jsonObject(text: string): ReturnType<JsonCheck> {
  yield;
  const parsed = parse(text);
  if (!parsed) return 'it is not JSON';
  return isRecord(parsed.value) ? undefined : 'it is JSON, but not an object';
}

/** Maximum work in milliseconds. A thousand optional properties take one second, and four on a busy machine. */
const maxWorkMs = 10_000;

/** Runs the steps, yielding to the event loop between them. @throws if it takes too long. */
export async function checkInTurns(steps: ReturnType<JsonCheck>): Promise<string | undefined> {
  const result = await runInTimeSlices(steps, maxWorkMs);
  return 'value' in result ? result.value : tooLarge;
}

const tooLarge = 'it is too large to be checked';

/**
 * Validates JSON against a schema with the compiled grammar that engines use for decoding, so that a pattern costs no more than its length.
 * Properties may be in any order, and whitespace may be anywhere that JSON allows it.
 *
 * @throws GrammarError for a schema that cannot be enforced.
 */
export function* jsonOfSchema(schema: Readonly<Record<string, unknown>>, strict: boolean): Steps<JsonCheck> {
  const grammar = yield* compileJsonSchemaSteps(schema, { strict });
  const order = propertyOrder(schema);
  return function* check(text) {
    const parsed = parse(text);
    if (!parsed) return 'it is not JSON';
    const walk = new GrammarWalk(order);
    try {
      const end = yield* walk.through(grammar.start(), parsed.value, '$');
      return end?.canEnd() ? undefined : `it does not match the schema at ${walk.rejectedPath}`;
    } catch (error) {
      if (error instanceof GrammarError || error instanceof RangeError) return tooLarge;
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

/** Maximum number of orders of properties that are tried, in addition to one look at each. */
const maxTries = 100_000;

type StateSteps = Steps<State | undefined>;

/** A position within an object, and the properties that may come next. */
interface Level {
  readonly at: State;
  /** Remaining properties, from index `from` on. */
  readonly remaining: readonly string[];
  readonly from: number;
  /** Index of the next one to try. */
  next: number;
  hasFitted: boolean;
}

/** Writes a value as the grammar requires it: compact, with its properties in an order that the grammar allows. */
class GrammarWalk {
  /** The last position that the grammar rejected. */
  rejectedPath = '$';
  readonly #order: ReadonlyMap<string, number>;
  #tries = 0;

  constructor(order: ReadonlyMap<string, number>) {
    this.#order = order;
  }

  *through(state: State, value: unknown, path: string): StateSteps {
    if (Array.isArray(value)) return yield* this.#list(state, value, path);
    if (isRecord(value)) return yield* this.#object(state, value, path);
    // JSON.parse turns numbers that are too large into Infinity, which JSON.stringify writes as null.
    const fits =
      typeof value === 'number' && !Number.isFinite(value) ? undefined : state.advance(JSON.stringify(value));
    yield;
    return fits ?? this.#reject(path);
  }

  *#list(state: State, items: readonly unknown[], path: string): StateSteps {
    let at = state.advance('[');
    for (const [index, item] of items.entries()) {
      const before = index === 0 ? at : at?.advance(',');
      at = before && (yield* this.through(before, item, `${path}[${index}]`));
      if (!at) return before ? undefined : this.#reject(path);
    }
    return at?.advance(']') ?? this.#reject(path);
  }

  *#object(state: State, value: Readonly<Record<string, unknown>>, path: string): StateSteps {
    const orderOf = (name: string): number => this.#order.get(name) ?? Infinity;
    const names = Object.keys(value).sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : Number(orderOf(a) > orderOf(b))));
    const open = state.advance('{');
    if (!open) return this.#reject(path);
    // Depth first through the orders, without recursion: thousands of properties would fill the stack.
    const levels: Level[] = [{ at: open, remaining: names, from: 0, next: 0, hasFitted: false }];
    for (let level = levels.at(-1); level; level = levels.at(-1)) {
      const { at, remaining, from } = level;
      if (from === remaining.length) {
        const end = at.advance('}');
        if (end) return end;
      }
      const name = remaining[level.next];
      if (name === undefined) {
        if (!level.hasFitted) this.#reject(path);
        levels.pop();
        continue;
      }
      const index = level.next++;
      if (++this.#tries > maxTries) throw new RangeError('too many orders of properties');
      const before = at.advance(`${levels.length > 1 ? ',' : ''}${JSON.stringify(name)}:`);
      yield;
      if (!before) continue;
      level.hasFitted = true;
      const after = yield* this.through(before, value[name], `${path}.${name}`);
      if (!after) continue;
      // Usually it is the first of the remaining ones: then the list is shared.
      const rest =
        index === from
          ? { remaining, from: from + 1 }
          : { remaining: remaining.filter((other, at) => at >= from && other !== name), from: 0 };
      levels.push({ at: after, ...rest, next: rest.from, hasFitted: false });
    }
    return undefined;
  }

  /** Represents a rejected state. */
  #reject(path: string): State | undefined {
    this.rejectedPath = path;
    return undefined;
  }
}

/** Order in which the schema names its properties first: usually the only one that the grammar allows. */
function propertyOrder(schema: unknown): ReadonlyMap<string, number> {
  const order = new Map<string, number>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    if (!isRecord(node)) return;
    const { properties } = node;
    if (isRecord(properties)) {
      for (const name of Object.keys(properties)) if (!order.has(name)) order.set(name, order.size);
    }
    Object.values(node).forEach(visit);
  };
  visit(schema);
  return order;
}
