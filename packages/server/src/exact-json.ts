import { BODY_MAX_DEPTH, formatPath } from '@modelwire/schema';
import { isRecord } from '@modelwire/ports';
import { invalid } from './errors.ts';
import { isExactNumber, rawNumber, sourceOf } from './exact-number.ts';
import { orderedObject } from './ordered-object.ts';

/**
 * Parses valid JSON without losing what the client wrote. `JSON.parse` sorts property names that look like integers, rounds numbers, and keeps
 * the last of several members with one name. Nearly no body has any of these, which one scan decides; such a body is parsed again, into objects
 * that list their names in the written order, and raw numbers, which `JSON.stringify` writes as they were.
 *
 * @throws SyntaxError for invalid JSON, and a 400 that names the place for what cannot be kept.
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const { members, isSuspicious } = scan(text);
  if (!isSuspicious && countMembers(value) === members) return value;
  return new ExactParser(text).parse() ?? value;
}

/**
 * The same value with all raw numbers rounded, for fields whose schema requires numbers. The same object if it has none.
 */
export function withRoundedNumbers(value: unknown): unknown {
  const source = sourceOf(value);
  if (source !== undefined) return Number(source);
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const rounded = items.map(withRoundedNumbers);
    return rounded.some((item, index) => item !== items[index]) ? rounded : value;
  }
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, withRoundedNumbers(member)] as const);
  return entries.some(([name, member]) => member !== value[name]) ? orderedObject(entries) : value;
}

/** Whether a value contains raw numbers. Uses an explicit stack: unlike a value with raw numbers, others may be nested deeply. */
export function hasRawNumbers(value: unknown): boolean {
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (sourceOf(next) !== undefined) return true;
    for (const child of Object.values(next)) stack.push(child);
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;
const zero = 0x30;
/** Numbers of at most this length, without an exponent, are exact. */
const maxShortNumber = 15;

/** Counts the members of all objects in a JSON text, and finds property names and numbers that `JSON.parse` may change. */
function scan(text: string): { readonly members: number; readonly isSuspicious: boolean } {
  let members = 0;
  let isSuspicious = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = closingQuote(text, at);
      const first = text.charCodeAt(at + 1);
      // An escape may be a digit.
      if ((isDigit(first) || first === backslash) && isKey(text, end)) isSuspicious = true;
      at = end;
    } else if (code === 0x3a) members++;
    else if (code === minus || isDigit(code)) {
      const end = numberEnd(text, at);
      if (!isSuspicious && mayBeInexact(text, at, end)) isSuspicious = !isExactNumber(text.slice(at, end));
      at = end - 1;
    }
  }
  return { members, isSuspicious };
}

function isDigit(code: number): boolean {
  return code >= zero && code <= 0x39;
}

function isKey(text: string, end: number): boolean {
  for (let at = end + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x20) return code === 0x3a;
  }
  return false;
}

function mayBeInexact(text: string, start: number, end: number): boolean {
  if (end - start > maxShortNumber) return true;
  if (text.charCodeAt(start) === minus && text.charCodeAt(start + 1) === zero) return true;
  for (let at = start; at < end; at++) if ((text.charCodeAt(at) | 0x20) === 0x65) return true;
  return false;
}

function closingQuote(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}

function numberEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isPart = isDigit(code) || code === 0x2e || code === minus || code === 0x2b || (code | 0x20) === 0x65;
    if (!isPart) break;
  }
  return at;
}

function countMembers(value: unknown): number {
  let members = 0;
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    if (typeof next !== 'object' || next === null) continue;
    const children: readonly unknown[] = Object.values(next);
    if (!Array.isArray(next)) members += children.length;
    for (const child of children) if (typeof child === 'object' && child !== null) stack.push(child);
  }
  return members;
}

/** Parses a text that is known to be valid JSON. */
class ExactParser {
  readonly #text: string;
  readonly #path: (string | number)[] = [];
  #at = 0;
  #isTooDeep = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Undefined for a value that is nested too deeply, which the schema refuses. */
  parse(): unknown {
    const value = this.#value();
    return this.#isTooDeep ? undefined : value;
  }

  #value(): unknown {
    if (this.#path.length > BODY_MAX_DEPTH) this.#isTooDeep = true;
    if (this.#isTooDeep) return undefined;
    switch (this.#peek()) {
      case '{':
        return this.#object();
      case '[':
        return this.#array();
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #object(): unknown {
    const members = new Map<string, unknown>();
    this.#at++;
    while (this.#peek() !== '}' && !this.#isTooDeep) {
      const name = this.#string();
      this.#path.push(name);
      if (members.has(name)) throw this.#duplicate(name);
      this.#skip(':');
      members.set(name, this.#value());
      this.#path.pop();
      if (this.#peek() === ',') this.#at++;
    }
    this.#at++;
    return orderedObject([...members]);
  }

  #array(): unknown {
    const items: unknown[] = [];
    this.#at++;
    while (this.#peek() !== ']' && !this.#isTooDeep) {
      this.#path.push(items.length);
      items.push(this.#value());
      this.#path.pop();
      if (this.#peek() === ',') this.#at++;
    }
    this.#at++;
    return items;
  }

  #string(): string {
    this.#peek();
    const end = closingQuote(this.#text, this.#at) + 1;
    const value: unknown = JSON.parse(this.#text.slice(this.#at, end));
    this.#at = end;
    return String(value);
  }

  #number(): unknown {
    const end = numberEnd(this.#text, this.#at);
    const source = this.#text.slice(this.#at, end);
    this.#at = end;
    if (isExactNumber(source)) return Number(source);
    const raw = Number.isFinite(Number(source)) ? rawNumber(source) : undefined;
    if (raw === undefined) throw this.#unsupportedNumber(source);
    return raw;
  }

  #word<Value>(word: string, value: Value): Value {
    this.#at += word.length;
    return value;
  }

  /** The next character that is not white space. */
  #peek(): string {
    while (this.#text.charCodeAt(this.#at) <= 0x20) this.#at++;
    return this.#text.charAt(this.#at);
  }

  #skip(expected: string): void {
    if (this.#peek() === expected) this.#at++;
  }

  #duplicate(name: string): Error {
    const path = formatPath(this.#path) ?? null;
    const shown = path ?? JSON.stringify(name.slice(0, 64));
    return invalid(path, `Invalid JSON: '${shown}' occurs twice in the same object. Send each name once.`);
  }

  #unsupportedNumber(source: string): Error {
    const path = formatPath(this.#path) ?? null;
    const shown = source.length > 40 ? `${source.slice(0, 39)}…` : source;
    const where = path === null ? 'the request body' : `'${path}'`;
    return invalid(path, `Invalid number in ${where}: ${shown} is outside the range of a double.`);
  }
}
