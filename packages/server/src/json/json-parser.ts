import { BODY_MAX_DEPTH, BODY_MAX_FIELDS } from '@modelwire/schema';
import { formatPath } from '@modelwire/schema/internal';
import { isEscaped, largeTextLength } from '@modelwire/adapter-kit/internal';
import { invalid } from '../errors.ts';
import { isExactNumber, rawNumber } from './exact-number.ts';
import { listsInOrder, orderedObject } from './ordered-object.ts';

/** Values, names and quotes within strings that are read in one step. */
const readsPerStep = 256;
/** White space that is skipped in one step. */
const whitespacePerStep = 64 * 1024;
/** Longer numbers are refused: each is read at once. */
const maxNumberLength = 10_000;
/** Maximum number of names, over all objects whose integer names are out of order. Reading such an object takes ten times as long. */
const maxUnorderedNames = 5000;

/** An array or an object that is being read. */
type Container =
  | { readonly items: unknown[] }
  | { readonly object: Record<string, unknown>; readonly names: string[]; hasIndexAsName: boolean };

/**
 * Parses JSON in steps, and keeps what `JSON.parse` does not: the order of names that look like integers and numbers that no double holds. Native
 * parsing of 20 MB takes up to 400 ms at once; here single strings are parsed at once, in at most 60 ms.
 *
 * @throws SyntaxError for invalid JSON, and a 400 that names the place for what cannot be kept, for more than `maxValues` values and for nesting beyond
 * `BODY_MAX_DEPTH`.
 */
export class JsonParser {
  readonly #text: string;
  readonly #maxValues: number;
  readonly #containers: Container[] = [];
  #at = 0;
  #values = 0;
  #reads = 0;
  #unorderedNames = 0;

  constructor(text: string, maxValues: number) {
    this.#text = text;
    this.#maxValues = maxValues;
  }

  *parse(): Generator<undefined, unknown, undefined> {
    for (;;) {
      if (this.#countRead()) yield;
      let value = yield* this.#open();
      while (value !== undefined) {
        const container = this.#containers.at(-1);
        const separator = yield* this.#next();
        if (!container) {
          if (separator !== '') throw new SyntaxError('text after the value');
          return value.value;
        }
        addTo(container, value.value);
        if (separator === ',') {
          this.#countValue();
          if ('names' in container) yield* this.#name(container);
          break;
        }
        if (separator !== ('names' in container ? '}' : ']')) throw new SyntaxError('a separator is missing');
        value = { value: this.#close() };
      }
    }
  }

  /** Reads a value; undefined if it is a container that has members. */
  *#open(): Generator<undefined, { readonly value: unknown } | undefined, undefined> {
    const first = yield* this.#next();
    switch (first) {
      case '{':
      case '[': {
        this.#countValue();
        if (this.#containers.length >= BODY_MAX_DEPTH) throw this.#tooDeep();
        const container: Container = first === '[' ? { items: [] } : { object: {}, names: [], hasIndexAsName: false };
        this.#containers.push(container);
        const closing = 'names' in container ? '}' : ']';
        if ((yield* this.#next()) === closing) return { value: this.#close() };
        this.#at--;
        if ('names' in container) yield* this.#name(container);
        return undefined;
      }
      case '"':
        return { value: yield* this.#string() };
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return { value: this.#number() };
    }
  }

  /** The value of the innermost container, which has ended. */
  #close(): unknown {
    const container = this.#containers.pop();
    if (container === undefined) throw new SyntaxError('a value ends that has not begun');
    if ('items' in container) return container.items;
    const { object, names, hasIndexAsName } = container;
    if (!hasIndexAsName || listsInOrder(object, names)) return object;
    this.#unorderedNames += names.length;
    if (this.#unorderedNames > maxUnorderedNames) throw this.#tooManyUnorderedNames();
    return orderedObject(names.map((name) => [name, object[name]] as const));
  }

  *#name(container: Extract<Container, { readonly names: string[] }>): Generator<undefined, void, undefined> {
    if (this.#countRead()) yield;
    if ((yield* this.#next()) !== '"') throw new SyntaxError('a name is missing');
    const name = yield* this.#string();
    const isRepeated = Object.hasOwn(container.object, name);
    container.names.push(name);
    if (isRepeated) throw this.#duplicate(name);
    if (/^\d/.test(name)) container.hasIndexAsName = true;
    // Listing their names alone takes long. The schema refuses such objects anyway.
    if (container.hasIndexAsName && container.names.length > BODY_MAX_FIELDS) throw this.#tooManyFields();
    if ((yield* this.#next()) !== ':') throw new SyntaxError('a value is missing');
  }

  *#string(): Generator<undefined, string, undefined> {
    const start = this.#at - 1;
    for (let at = start; ;) {
      at = this.#text.indexOf('"', at + 1);
      if (at === -1) throw new SyntaxError('a string has no end');
      if (!isEscaped(this.#text, at)) {
        this.#at = at + 1;
        break;
      }
      if (this.#countRead()) yield;
    }
    const isLarge = this.#at - start > largeTextLength;
    if (isLarge) yield;
    // A copy: a part of the text would keep all of it in memory.
    const value: unknown = JSON.parse(this.#text.slice(start, this.#at));
    if (isLarge) yield;
    return String(value);
  }

  #number(): unknown {
    const start = this.#at - 1;
    while (numberCharacters.has(this.#text.charCodeAt(this.#at)) && this.#at - start <= maxNumberLength) this.#at++;
    const source = this.#text.slice(start, this.#at);
    if (source.length > maxNumberLength)
      throw this.#invalidNumber(source, `has more than ${maxNumberLength} characters`);
    const value: unknown = JSON.parse(source);
    if (isExactNumber(source)) return value;
    const raw = Number.isFinite(value) ? rawNumber(source) : undefined;
    if (raw === undefined) throw this.#invalidNumber(source, 'is outside the range of a double');
    return raw;
  }

  #word<Value>(word: string, value: Value): { readonly value: Value } {
    if (!this.#text.startsWith(word, this.#at - 1)) throw new SyntaxError('an unknown word');
    this.#at += word.length - 1;
    return { value };
  }

  /** The next character that is not white space; empty at the end. */
  *#next(): Generator<undefined, string, undefined> {
    for (let skipped = 0; isWhitespace(this.#text.charCodeAt(this.#at)); this.#at++) {
      if (++skipped % whitespacePerStep === 0) yield;
    }
    return this.#text.charAt(this.#at++);
  }

  /** Whether a step ends with this read. */
  #countRead(): boolean {
    return ++this.#reads % readsPerStep === 0;
  }

  /** Counts commas and opening brackets: there are at most as many values. */
  #countValue(): void {
    if (++this.#values > this.#maxValues) throw tooManyValues(this.#maxValues);
  }

  #path(): (string | number)[] {
    return this.#containers.map((container) =>
      'items' in container ? container.items.length : (container.names.at(-1) ?? ''),
    );
  }

  #duplicate(name: string): Error {
    const path = formatPath(this.#path()) ?? null;
    const shown = path ?? JSON.stringify(name.slice(0, 64));
    return invalid(path, `Invalid JSON: '${shown}' occurs twice in the same object. Send each name once.`);
  }

  #invalidNumber(source: string, problem: string): Error {
    const path = formatPath(this.#path()) ?? null;
    const shown = source.length > 40 ? `${source.slice(0, 39)}…` : source;
    const where = path === null ? 'the request body' : `'${path}'`;
    return invalid(path, `Invalid number in ${where}: ${shown} ${problem}.`);
  }

  #tooManyFields(): Error {
    const path = formatPath(this.#path().slice(0, -1)) ?? null;
    const message = `Invalid request body: an object has more than ${BODY_MAX_FIELDS} fields.`;
    return invalid(path, message, 'object_above_max_properties');
  }

  #tooManyUnorderedNames(): Error {
    const path = formatPath(this.#path()) ?? null;
    const message = `Invalid request body: more than ${maxUnorderedNames} names in objects whose integer names are not in ascending order. Write integer names first, in ascending order.`;
    return invalid(path, message, 'request_too_complex');
  }

  #tooDeep(): Error {
    const path = formatPath(this.#path().slice(0, 4)) ?? null;
    return invalid(path, `Invalid request body: nested deeper than ${BODY_MAX_DEPTH} levels.`);
  }
}

export function tooManyValues(maxValues: number): Error {
  return invalid(null, `The request body has more than ${maxValues} values.`, 'request_too_complex');
}

const isWhitespace = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
const numberCharacters: ReadonlySet<number> = new Set(new TextEncoder().encode('+-.0123456789Ee'));

function addTo(container: Container, value: unknown): void {
  if ('items' in container) {
    container.items.push(value);
    return;
  }
  const name = container.names.at(-1) ?? '';
  // An assignment would set the prototype.
  if (name === '__proto__') Object.defineProperty(container.object, name, { value, ...ownField });
  else container.object[name] = value;
}

const ownField = { enumerable: true, configurable: true, writable: true };
