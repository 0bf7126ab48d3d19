type Fields = Record<string, unknown>;

/** `open`: incomplete; `done`: one complete JSON value; `invalid`: not JSON, whatever follows. */
export type PartialJsonState = 'open' | 'done' | 'invalid';

/** An incremental JSON parser. */
export interface PartialJson {
  readonly state: PartialJsonState;
  /**
   * The value so far; `undefined` before it starts. Objects and arrays are updated in place, so that a stream takes linear time: copy
   * them to keep them (`structuredClone`).
   */
  readonly value: unknown;
  /** Parses more text and returns the value so far, in time linear in the text. Never throws. */
  push(piece: string): unknown;
  /** Ends the text, which completes a top-level number. */
  end(): unknown;
}

type Frame = { readonly items: unknown[] } | { readonly fields: Fields; key: string };
type Mode = 'value' | 'first-item' | 'key' | 'first-key' | 'colon' | 'next' | 'string' | 'number' | 'literal' | 'end';

const SPACE = /[ \t\n\r]*/y;
/** Literal characters of a string: not its end, an escape, or a control character. */
const STRING_CHARACTERS = /[^"\\\u0000-\u001f]*/y;
const NUMBER_CHARACTERS = /[-+.0-9eE]*/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/**
 * Parses a JSON text that can be truncated anywhere, such as a streamed one. The result is always a prefix of the complete value: partial
 * strings, but only complete numbers and literals, and no key without its value. Returns `undefined` if no value has started. Never
 * throws: of an invalid text it returns the value before the error.
 */
export function partialJson(text: string): unknown {
  return createPartialJson().push(text);
}

/** An incremental {@link partialJson}, in linear time over the whole text. */
export function createPartialJson(): PartialJson {
  const stack: Frame[] = [];
  let state: PartialJsonState = 'open';
  let mode: Mode = 'value';
  let root: unknown;
  /** The string, number or literal that is being read. */
  let token = '';
  /** A high surrogate whose low surrogate has not arrived. Kept apart, since checking the end of a long string that grows would take its
   * whole length each time. */
  let highSurrogate = '';
  /** An incomplete escape: a backslash and what follows. */
  let escape = '';
  let isKey = false;

  return {
    get state() {
      return state;
    },
    get value() {
      return root;
    },
    push(piece) {
      for (let at = 0; at < piece.length && state !== 'invalid';) at = read(piece, at);
      if (mode === 'string' && !isKey) replaceValue(token);
      return root;
    },
    end() {
      if (mode === 'number' && stack.length === 0) endNumber();
      return root;
    },
  };

  /** Reads one token, and returns the position of the next one. */
  function read(text: string, at: number): number {
    switch (mode) {
      case 'string':
        return readString(text, at);
      case 'number': {
        const end = skip(NUMBER_CHARACTERS, text, at);
        token += text.slice(at, end);
        if (end < text.length) endNumber();
        return end;
      }
      case 'literal': {
        token += text.charAt(at);
        const value = LITERALS.get(token);
        if (value !== undefined) {
          addValue(value);
          endValue();
        } else if (![...LITERALS.keys()].some((literal) => literal.startsWith(token))) fail();
        return at + 1;
      }
      default: {
        const start = skip(SPACE, text, at);
        // The first character of a number or literal is part of it.
        return start === text.length || readPunctuation(text.charAt(start)) ? start + 1 : start;
      }
    }
  }

  /** Reads punctuation or the start of a string. Returns false at the start of a number or literal. */
  function readPunctuation(char: string): boolean {
    const frame = stack.at(-1);
    const inArray = frame !== undefined && 'items' in frame;
    if ((char === ']' && inArray && (mode === 'first-item' || mode === 'next')) || isEndOfObject()) {
      stack.pop();
      endValue();
    } else if (mode === 'next' && char === ',') mode = inArray ? 'value' : 'key';
    else if (mode === 'colon' && char === ':') mode = 'value';
    else if ((mode === 'key' || mode === 'first-key') && char === '"') openString(true);
    else if (mode === 'value' || mode === 'first-item') return openValue(char);
    else fail();
    return true;

    function isEndOfObject(): boolean {
      return char === '}' && frame !== undefined && !inArray && (mode === 'first-key' || mode === 'next');
    }
  }

  function openValue(char: string): boolean {
    if (char === '"') {
      addValue('');
      openString(false);
    } else if (char === '{') {
      const fields: Fields = {};
      addValue(fields);
      stack.push({ fields, key: '' });
      mode = 'first-key';
    } else if (char === '[') {
      const items: unknown[] = [];
      addValue(items);
      stack.push({ items });
      mode = 'first-item';
    } else if (/[-0-9tfn]/.test(char)) {
      token = '';
      mode = /[tfn]/.test(char) ? 'literal' : 'number';
      return false;
    } else fail();
    return true;
  }

  function openString(key: boolean): void {
    token = '';
    isKey = key;
    mode = 'string';
  }

  function readString(text: string, at: number): number {
    if (escape !== '') {
      escape += text.charAt(at);
      readEscape();
      return at + 1;
    }
    const end = skip(STRING_CHARACTERS, text, at);
    append(text.slice(at, end));
    const char = text.charAt(end);
    if (char === '\\') escape = char;
    else if (char === '"') endString();
    else if (char !== '') fail();
    return end + 1;
  }

  function readEscape(): void {
    if (escape[1] !== 'u') {
      const char = ESCAPES.get(escape.slice(1));
      if (char === undefined) fail();
      else append(char);
      escape = '';
    } else if (!/^\\u[\da-f]*$/i.test(escape)) fail();
    else if (escape.length === 6) {
      append(String.fromCharCode(Number.parseInt(escape.slice(2), 16)));
      escape = '';
    }
  }

  function append(more: string): void {
    if (more === '') return;
    const text = highSurrogate + more;
    const last = text.charCodeAt(text.length - 1);
    highSurrogate = last >= 0xd800 && last < 0xdc00 ? text.slice(-1) : '';
    token += highSurrogate === '' ? text : text.slice(0, -1);
  }

  function endString(): void {
    token += highSurrogate;
    highSurrogate = '';
    const frame = stack.at(-1);
    if (isKey && frame !== undefined && 'key' in frame) {
      frame.key = token;
      mode = 'colon';
    } else {
      replaceValue(token);
      endValue();
    }
  }

  function endNumber(): void {
    if (NUMBER.test(token)) {
      addValue(Number(token));
      endValue();
    } else fail();
  }

  /** Ends a value. */
  function endValue(): void {
    mode = stack.length === 0 ? 'end' : 'next';
    if (mode === 'end') state = 'done';
  }

  function addValue(value: unknown): void {
    const frame = stack.at(-1);
    if (frame !== undefined && 'items' in frame) frame.items.push(value);
    else replaceValue(value);
  }

  /** Replaces the last value. */
  function replaceValue(value: unknown): void {
    const frame = stack.at(-1);
    if (frame === undefined) root = value;
    else if ('items' in frame) frame.items[frame.items.length - 1] = value;
    // Assigning it would set the prototype of the object.
    else if (frame.key === '__proto__') Object.defineProperty(frame.fields, frame.key, { value, ...OWN_PROPERTY });
    else frame.fields[frame.key] = value;
  }

  function fail(): void {
    state = 'invalid';
    // Nothing more is read, and the value so far stays.
    if (mode !== 'string') mode = 'end';
  }
}

const OWN_PROPERTY = { writable: true, enumerable: true, configurable: true };

/** The end of the match that starts at `at`. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

/** A value of a truncated text: fields can be missing, and strings can be prefixes, also of enum values. */
export type DeepPartial<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? DeepPartial<Item>[]
    : T extends object
      ? { [Key in keyof T]?: DeepPartial<T[Key]> }
      : T;
