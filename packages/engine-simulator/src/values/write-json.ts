import type { Grammar, Steps } from '@modelwire/grammar';
import { isRecord } from '@modelwire/adapter-kit';
import { createCandidates } from './candidates.ts';
import type { ValueSource } from './candidates.ts';

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
const samples = [
  '2026-01-01',
  '12:00:00Z',
  '2026-01-01T12:00:00Z',
  'PT1H',
  'user@example.com',
  'example.com',
  '192.0.2.1',
  '2001:db8::1',
  '123e4567-e89b-42d3-a456-426614174000',
  false,
  1,
  0,
];
const firstToken = /^ ?("(?:[^"\\]|\\.)*"|-?[\d.eE+-]+|true|false|null)/;
const firstKey = /^,? ?("(?:[^"\\]|\\.)*"):/;

/** What a schema suggests: the members of its objects, and its constants, in order. */
interface SchemaHints {
  /** By name; the values are their defaults and examples. */
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
  const candidates = createCandidates(source);
  const allMentioned = hints.constants.filter((one) => typeof one === 'string' && candidates.mentions(one));
  let text = '';
  let state = grammar.start();
  let valuesLeft = maxValues;
  let bytesLeft = maxTriedBytes;
  yield* writeValue('', 0);
  return text + (yield* completion());

  function* writeValue(name: string, depth: number): Steps<void> {
    yield;
    if (valuesLeft-- <= 0 || depth > maxDepth) return;
    const acceptsText = accepts('"~');
    const acceptsAny = acceptsText && accepts('{') && accepts('[');
    const [constants, mentioned] = acceptsText ? [[], []] : [hints.constants, allMentioned];
    const named = candidates.named(name);
    if (writeFirst([...mentioned, ...named])) return;
    const isListed = named.length > 0 && accepts('[');
    if (!isListed && !acceptsAny && writeFirst([null])) return;
    if (!acceptsAny && write('[')) return yield* writeItems(name, depth);
    if (!acceptsAny && write('{')) return yield* writeMembers(depth);
    const known = hints.members.get(name) ?? [];
    if (writeFirst([...known, ...constants, ...candidates.unused(), ...candidates.others(), ...samples])) return;
    const [, token = ''] = firstToken.exec(yield* completion()) ?? [];
    if (token !== '') write(token);
  }

  function* writeItems(name: string, depth: number): Steps<void> {
    const isDeep = depth > maxOptionalDepth;
    const mentioned = accepts('"~') ? [] : allMentioned;
    let separator = '';
    for (const item of isDeep ? [] : new Set([...mentioned, ...candidates.named(name), ...candidates.unused()])) {
      if (writeWhole(item, separator)) separator = ',';
    }
    // An array of other values gets one item, even where it may be empty.
    let isFirst = separator === '' && !(isDeep && accepts(']'));
    while (isFirst || !write(']')) {
      if (!isFirst && (valuesLeft <= 0 || !write(separator))) return;
      yield* writeValue(name, depth + 1);
      [isFirst, separator] = [false, ','];
    }
  }

  function* writeMembers(depth: number): Steps<void> {
    const written = new Set<string>();
    for (let separator = ''; valuesLeft > 0; separator = ',') {
      const key = nextKey(separator, depth, written);
      if (key === undefined) return void write('}');
      if (!write(`${separator}${key}:`)) return;
      const name = JSON.parse(key) as string;
      written.add(name);
      yield* writeValue(name, depth + 1);
    }
  }

  /** The next key, as JSON: the only possible one, or an optional one that the source has a value for; undefined to end the object. */
  function nextKey(separator: string, depth: number, written: ReadonlySet<string>): string | undefined {
    const mayEnd = accepts('}');
    const forced = `"${state.advance(`${separator}"`)?.forced() ?? ''}`;
    const [, only] = firstKey.exec(forced) ?? [];
    if (!mayEnd && only !== undefined) return only;
    for (const name of depth > maxOptionalDepth ? [] : hints.members.keys()) {
      const values = written.has(name) ? [] : candidates.named(name);
      const key = JSON.stringify(name);
      const next = values.length === 0 ? undefined : state.advance(`${separator}${key}:`);
      if (values.some((one) => next?.advance(JSON.stringify(one)))) return key;
    }
    return mayEnd ? undefined : firstKey.exec(state.shortestCompletion())?.[1];
  }

  function writeFirst(values: readonly unknown[]): boolean {
    return values.some((value) => writeWhole(value));
  }

  /** Writes a whole value where it is possible. */
  function writeWhole(value: unknown, separator = ''): boolean {
    const json = separator + JSON.stringify(value);
    bytesLeft -= json.length;
    const next = bytesLeft < 0 ? undefined : state.advance(json);
    // A number may be the beginning of one that is possible: `4` of `40`.
    if (!next || !(next.canEnd() || [',', '}', ']'].some((end) => next.advance(end)))) return false;
    candidates.use(value);
    return write(json);
  }

  function write(more: string): boolean {
    const next = state.advance(more);
    if (!next) return false;
    state = next;
    text += more;
    return true;
  }

  function accepts(more: string): boolean {
    return state.advance(more) !== undefined;
  }

  function* completion(): Steps<string> {
    return new TextDecoder().decode(yield* state.completionSteps());
  }
}

function* hintsOf(schema: unknown): Steps<SchemaHints> {
  const members = new Map<string, readonly unknown[]>();
  const constants = new Set<unknown>();
  const pending: unknown[] = [schema];
  for (let next = 0; next < Math.min(pending.length, maxSchemaNodes); next++) {
    if (next % 1000 === 999) yield;
    const node = pending[next];
    if (typeof node !== 'object' || node === null) continue;
    for (const [keyword, value] of Object.entries(node) as [string, unknown][]) {
      if (keyword === 'const') constants.add(value);
      else if (keyword === 'enum' && Array.isArray(value)) for (const one of value as unknown[]) constants.add(one);
      else if (keyword === 'properties' && isRecord(value)) {
        for (const [name, member] of Object.entries(value)) {
          const { default: preset, examples } = isRecord(member) ? member : {};
          const known = [preset, ...(Array.isArray(examples) ? (examples as unknown[]) : [])];
          members.set(name, [...(members.get(name) ?? []), ...known.filter((one) => one !== undefined)]);
          pending.push(member);
        }
      } else pending.push(value);
    }
  }
  return { members, constants: [...constants].slice(0, maxConstants) };
}
