import type { Grammar, State, Steps } from '@modelwire/grammar';
import { createCandidates } from './candidates.ts';
import type { Candidates, ValueSource } from './candidates.ts';

/** Values in one text; past them the shortest way to the end is taken. */
const maxValues = 1500;
/** Past so many levels, optional members and items are left out. */
const maxOptionalDepth = 5;
const maxDepth = 24;
/** Bytes of candidates that are tried in one text. */
const maxTriedBytes = 1_000_000;
/** Parts of a schema in which names and constants are looked for. */
const maxSchemaNodes = 100_000;
const maxConstants = 1000;
/** Tried where the text has no value that fits. */
const samples = ['2026-01-01', '12:00:00Z', '2026-01-01T12:00:00Z', 'PT1H', 'user@example.com', 'example.com', '192.0.2.1', '2001:db8::1', '123e4567-e89b-42d3-a456-426614174000', false, 1, 0]; // prettier-ignore
const firstToken = /^ ?("(?:[^"\\]|\\.)*"|-?[\d.eE+-]+|true|false|null)/;
const firstKey = /^,? ?("(?:[^"\\]|\\.)*"):/;

/** What a schema names: the members of its objects with their default values, and its constants, in order. */
interface SchemaHints {
  readonly members: ReadonlyMap<string, readonly unknown[]>;
  readonly constants: readonly unknown[];
}

/**
 * Writes a JSON text that the grammar accepts: it takes values from the source where they fit, and the grammar's shortest ones elsewhere.
 * The schema only suggests names and constants; the grammar decides which values are allowed. Yields before each value.
 *
 * @throws GrammarError for a grammar that is too ambiguous to be followed.
 */
export function* writeJson(grammar: Grammar, schema: unknown, source: ValueSource): Steps<string> {
  const hints = yield* hintsOf(schema);
  yield;
  const writer = new Writer(grammar.start(), hints, createCandidates(source));
  yield* writer.value('', 0);
  return yield* writer.finish();
}

class Writer {
  #text = '';
  #state: State;
  #valuesLeft = maxValues;
  #bytesLeft = maxTriedBytes;
  readonly #hints: SchemaHints;
  readonly #candidates: Candidates;
  readonly #mentioned: readonly unknown[];

  constructor(state: State, hints: SchemaHints, candidates: Candidates) {
    this.#state = state;
    this.#hints = hints;
    this.#candidates = candidates;
    this.#mentioned = hints.constants.filter((one) => typeof one === 'string' && candidates.mentions(one));
  }

  *finish(): Steps<string> {
    return this.#text + new TextDecoder().decode(yield* this.#state.completionSteps());
  }

  *value(name: string, depth: number): Steps<void> {
    yield;
    if (this.#valuesLeft-- <= 0 || depth > maxDepth) return;
    const { members, constants } = this.#hints;
    const acceptsText = this.#accepts('"~');
    const acceptsAny = acceptsText && this.#accepts('{') && this.#accepts('[');
    const [fixed, mentioned] = acceptsText ? [[], []] : [constants, this.#mentioned];
    if (this.#writeFirst([...mentioned, ...this.#candidates.named(name)])) return;
    const isListed = !acceptsAny && this.#accepts('[') && this.#candidates.list(name).some((one) => this.#accepts(`[${JSON.stringify(one)}`)); // prettier-ignore
    if (!isListed && !acceptsAny && this.#writeFirst([null])) return;
    if (!acceptsAny && this.#write('[')) return yield* this.#items(name, depth);
    if (!acceptsAny && this.#write('{')) return yield* this.#members(depth);
    if (this.#writeFirst([...(members.get(name) ?? []), ...fixed, ...this.#candidates.others(), ...samples])) return;
    const [, token = ''] = firstToken.exec(new TextDecoder().decode(yield* this.#state.completionSteps())) ?? [];
    if (token !== '') this.#write(token);
  }

  *#items(name: string, depth: number): Steps<void> {
    let separator = '';
    const items = [...(this.#accepts('"~') ? [] : this.#mentioned), ...this.#candidates.list(name)];
    for (const item of depth > maxOptionalDepth ? [] : items) {
      if (this.#writeValue(item, separator)) separator = ',';
    }
    const mayBeEmpty = depth > maxOptionalDepth || this.#state.forced().startsWith(']');
    if (separator === '' && !(mayBeEmpty && this.#accepts(']'))) {
      yield* this.value(name, depth + 1);
      separator = ',';
    }
    while (!this.#write(']')) {
      if (this.#valuesLeft <= 0 || !this.#write(separator)) return;
      yield* this.value(name, depth + 1);
      separator = ',';
    }
  }

  *#members(depth: number): Steps<void> {
    const written = new Set<string>();
    for (let separator = ''; this.#valuesLeft > 0; separator = ',') {
      const key = this.#nextKey(separator, depth, written);
      if (key === undefined) return void this.#write('}');
      if (!this.#write(`${separator}${key}:`)) return;
      const name = JSON.parse(key) as string;
      written.add(name);
      yield* this.value(name, depth + 1);
    }
  }

  /** The next key, as JSON: the only possible one, or an optional one that the source has a value for; undefined to end the object. */
  #nextKey(separator: string, depth: number, written: ReadonlySet<string>): string | undefined {
    const mayEnd = this.#accepts('}');
    const forced = `"${this.#state.advance(`${separator}"`)?.forced() ?? ''}`;
    const [, only] = firstKey.exec(forced) ?? [];
    if (!mayEnd && only !== undefined) return only;
    if (depth <= maxOptionalDepth) {
      for (const name of this.#hints.members.keys()) {
        if (written.has(name) || this.#candidates.named(name).length === 0) continue;
        const key = JSON.stringify(name);
        const value = this.#state.advance(`${separator}${key}:`);
        if (value && this.#candidates.named(name).some((one) => value.advance(JSON.stringify(one)))) return key;
      }
    }
    return mayEnd ? undefined : firstKey.exec(this.#state.shortestCompletion())?.[1];
  }

  #writeFirst(values: readonly unknown[]): boolean {
    return values.some((value) => this.#writeValue(value));
  }

  /** Writes a whole value where one is possible. */
  #writeValue(value: unknown, separator = ''): boolean {
    const json = separator + JSON.stringify(value);
    this.#bytesLeft -= json.length;
    if (this.#bytesLeft < 0) return false;
    const next = this.#state.advance(json);
    // A number may be the beginning of one that is possible: `4` of `40`.
    if (!next || !(next.canEnd() || [',', '}', ']'].some((end) => next.advance(end)))) return false;
    this.#candidates.use(value);
    return this.#write(json);
  }

  #write(text: string): boolean {
    const next = this.#state.advance(text);
    if (!next) return false;
    this.#state = next;
    this.#text += text;
    return true;
  }

  #accepts(text: string): boolean {
    return this.#state.advance(text) !== undefined;
  }
}

function* hintsOf(schema: unknown): Steps<SchemaHints> {
  const members = new Map<string, unknown[]>();
  const constants = new Set<unknown>();
  const pending: unknown[] = [schema];
  for (let next = 0; next < Math.min(pending.length, maxSchemaNodes); next++) {
    if (next % 1000 === 999) yield;
    const node = pending[next];
    if (typeof node !== 'object' || node === null) continue;
    for (const [keyword, value] of Object.entries(node) as [string, unknown][]) {
      if (keyword === 'const') constants.add(value);
      else if (keyword === 'enum' && Array.isArray(value)) for (const one of value as unknown[]) constants.add(one);
      else if (keyword === 'properties' && typeof value === 'object' && value !== null) {
        for (const [name, member] of Object.entries(value) as [string, unknown][]) {
          const { default: preset, examples } = (typeof member === 'object' && member !== null ? member : {}) as Record<string, unknown>; // prettier-ignore
          const known = [preset, ...(Array.isArray(examples) ? (examples as unknown[]) : [])].filter((one) => one !== undefined); // prettier-ignore
          members.set(name, [...(members.get(name) ?? []), ...known]);
          pending.push(member);
        }
      } else pending.push(value);
    }
  }
  return { members, constants: [...constants].slice(0, maxConstants) };
}
