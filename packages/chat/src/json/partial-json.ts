import type { Fields } from '../pieces.ts';

/** `open`: more may come; `done`: the text is one whole JSON value; `invalid`: it is no JSON, whatever comes. */
export type PartialJsonState = 'open' | 'done' | 'invalid';

/** Reads a JSON text that comes in pieces. */
export interface PartialJson {
  readonly state: PartialJsonState;
  /**
   * The value so far: `undefined` before it begins. Objects and arrays are the same ones each time and grow in place, so
   * that a stream costs its length; copy what you keep (`structuredClone`).
   */
  readonly value: unknown;
  /** Takes more text and gives the value so far. Costs the length of the piece. Never throws. */
  push(piece: string): unknown;
  /** Says that nothing more comes: a number alone is then known to be whole. */
  end(): unknown;
}

type Frame = { readonly items: unknown[] } | { readonly fields: Fields; key: string };
type Mode = 'value' | 'first-item' | 'key' | 'first-key' | 'colon' | 'next' | 'string' | 'number' | 'word' | 'over';

const SPACE = /[ \t\n\r]*/y;
/** What a string holds as it is: not its end, an escape, or a control character. */
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const NUMERIC = /[-+.0-9eE]*/y;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
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
 * The value so far of a JSON text that may be cut anywhere, such as one that streams. What it gives is always a beginning
 * of the whole: strings as far as they came, numbers and words only when nothing can change them, no key without its
 * value. `undefined` when no value has begun. Never throws: of a text that is no JSON it gives what came before the fault.
 */
export function partialJson(text: string): unknown {
  return createPartialJson().push(text);
}

/** {@link partialJson} for a text that comes in pieces: linear over the whole of it. */
export function createPartialJson(): PartialJson {
  const stack: Frame[] = [];
  let state: PartialJsonState = 'open';
  let mode: Mode = 'value';
  let root: unknown;
  /** The string, number or word that is being read. */
  let token = '';
  /** The first half of a character whose second half has not come. Held apart: to look at the end of a long string that
   * grows costs its whole length each time. */
  let half = '';
  /** An escape that has begun: a backslash and what followed. */
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
      if (mode === 'string' && !isKey) replace(token);
      return root;
    },
    end() {
      if (mode === 'number' && stack.length === 0) endNumber();
      return root;
    },
  };

  /** Reads one thing, and gives where the next one begins. */
  function read(text: string, at: number): number {
    switch (mode) {
      case 'string':
        return readString(text, at);
      case 'number': {
        const end = skip(NUMERIC, text, at);
        token += text.slice(at, end);
        if (end < text.length) endNumber();
        return end;
      }
      case 'word': {
        token += text.charAt(at);
        const value = WORDS.get(token);
        if (value !== undefined) {
          put(value);
          closed();
        } else if (![...WORDS.keys()].some((word) => word.startsWith(token))) fail();
        return at + 1;
      }
      default: {
        const start = skip(SPACE, text, at);
        // A number's or word's first character belongs to it.
        return start === text.length || readMark(text.charAt(start)) ? start + 1 : start;
      }
    }
  }

  /** Reads what stands between strings, numbers and words. False when it is the start of a number or word. */
  function readMark(char: string): boolean {
    const frame = stack.at(-1);
    const inArray = frame !== undefined && 'items' in frame;
    if ((char === ']' && inArray && (mode === 'first-item' || mode === 'next')) || isEndOfObject()) {
      stack.pop();
      closed();
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
      put('');
      openString(false);
    } else if (char === '{') {
      const fields: Fields = {};
      put(fields);
      stack.push({ fields, key: '' });
      mode = 'first-key';
    } else if (char === '[') {
      const items: unknown[] = [];
      put(items);
      stack.push({ items });
      mode = 'first-item';
    } else if (/[-0-9tfn]/.test(char)) {
      token = '';
      mode = /[tfn]/.test(char) ? 'word' : 'number';
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
    const end = skip(PLAIN, text, at);
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
    const text = half + more;
    const last = text.charCodeAt(text.length - 1);
    half = last >= 0xd800 && last < 0xdc00 ? text.slice(-1) : '';
    token += half === '' ? text : text.slice(0, -1);
  }

  function endString(): void {
    token += half;
    half = '';
    const frame = stack.at(-1);
    if (isKey && frame !== undefined && 'key' in frame) {
      frame.key = token;
      mode = 'colon';
    } else {
      replace(token);
      closed();
    }
  }

  function endNumber(): void {
    if (NUMBER.test(token)) {
      put(Number(token));
      closed();
    } else fail();
  }

  /** A value is whole. */
  function closed(): void {
    mode = stack.length === 0 ? 'over' : 'next';
    if (mode === 'over') state = 'done';
  }

  function put(value: unknown): void {
    const frame = stack.at(-1);
    if (frame !== undefined && 'items' in frame) frame.items.push(value);
    else replace(value);
  }

  /** Puts the value in place of the one that was put last. */
  function replace(value: unknown): void {
    const frame = stack.at(-1);
    if (frame === undefined) root = value;
    else if ('items' in frame) frame.items[frame.items.length - 1] = value;
    // Assigning it would set the object's prototype.
    else if (frame.key === '__proto__') Object.defineProperty(frame.fields, frame.key, { value, ...OWN });
    else frame.fields[frame.key] = value;
  }

  function fail(): void {
    state = 'invalid';
    // Nothing more is read, and what was shown stays.
    if (mode !== 'string') mode = 'over';
  }
}

const OWN = { writable: true, enumerable: true, configurable: true };

/** Where the run of characters that begins at `at` ends. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

/** What may be there of a value while its text is cut: strings may be shorter, and of an enum they may be none of it. */
export type DeepPartial<T> = T extends string
  ? string
  : T extends readonly (infer Item)[]
    ? DeepPartial<Item>[]
    : T extends object
      ? { [Key in keyof T]?: DeepPartial<T[Key]> }
      : T;
