import { isRecord, parseJson, runInTimeSlices } from '@modelwire/adapter-kit';
import { compileJsonSchemaSteps, GrammarError } from '@modelwire/grammar';
import type { State, Steps } from '@modelwire/grammar';

/** Returns what is wrong with a text that should be JSON of a certain shape; undefined if it is valid. */
export type JsonShape = (text: string) => string | undefined;

/** A `JsonShape` that runs in steps: many properties take seconds, and other requests can run between the steps. */
export type JsonCheck = (text: string) => Steps<string | undefined>;

/** Any JSON object (API: `response_format`, `json_object`). */
export function* jsonObject(text: string): ReturnType<JsonCheck> {
  yield;
  const value = parseJson(text);
  if (value === undefined) return 'it is not JSON';
  return isRecord(value) ? undefined : 'it is JSON, but not an object';
}

/** Maximum work in milliseconds. A thousand properties take one second, and four on a busy machine. */
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
  const grammar = yield* compileJsonSchemaSteps(schema, { strict, propertyOrder: 'any' });
  return function* check(text) {
    const value = parseJson(text);
    if (value === undefined) return 'it is not JSON';
    const walk = new GrammarWalk();
    try {
      const end = yield* walk.through(grammar.start(), value, '$');
      return end?.canEnd() ? undefined : `it does not match the schema at ${walk.rejectedPath}`;
    } catch (error) {
      if (error instanceof GrammarError || error instanceof RangeError) return tooLarge;
      throw error;
    }
  };
}

type StateSteps = Steps<State | undefined>;

/** Writes a value as the grammar requires it: compact. */
class GrammarWalk {
  /** The last position that the grammar rejected. */
  rejectedPath = '$';

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
    let at = state.advance('{');
    for (const [index, [name, member]] of Object.entries(value).entries()) {
      const before = at?.advance(`${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
      yield;
      at = before && (yield* this.through(before, member, `${path}.${name}`));
      if (!at) return before ? undefined : this.#reject(path);
    }
    return at?.advance('}') ?? this.#reject(path);
  }

  /** Represents a rejected state. */
  #reject(path: string): State | undefined {
    this.rejectedPath = path;
    return undefined;
  }
}
