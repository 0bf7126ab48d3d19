import { isRecord, runInTimeSlices, yieldToEventLoop } from '@modelwire/adapter-kit';
import { isEscaped, largeTextLength, runAtOnce } from '@modelwire/adapter-kit/internal';
import { isExactNumber, sourceOf } from './exact-number.ts';
import { JsonParser, tooManyValues } from './json-parser.ts';
import { orderedObject } from './ordered-object.ts';

/**
 * Parses JSON without losing what the client wrote. `JSON.parse` sorts property names that look like integers, rounds numbers, and keeps the last
 * of several members with one name. Nearly no body has any of these, which one scan decides; such a body is parsed by `JsonParser`, into objects that
 * list their names in the written order, and raw numbers, which `JSON.stringify` writes as they were.
 *
 * @param maxValues The limit of the number of values.
 * @throws SyntaxError for invalid JSON, and a 400 that names the place for what cannot be kept, and for too many values.
 */
export function parseExactJson(text: string, maxValues = Infinity): unknown {
  const { members, isSuspicious } = scan(text, maxValues);
  if (isSuspicious) return runAtOnce(new JsonParser(text, maxValues).parse());
  const value: unknown = JSON.parse(text);
  return countMembers(value) === members ? value : runAtOnce(new JsonParser(text, maxValues).parse());
}

/** Parses a text in the same way, a large one in time slices, with turns of the event loop before and after. */
export async function parseExactJsonInSlices(text: string, maxValues = Infinity): Promise<unknown> {
  if (text.length < largeTextLength) return parseExactJson(text, maxValues);
  await yieldToEventLoop();
  const parsed = await runInTimeSlices(new JsonParser(text, maxValues).parse());
  await yieldToEventLoop();
  return parsed.value;
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

/**
 * Counts the members of all objects in a JSON text, and finds property names and numbers that `JSON.parse` may change.
 *
 * @throws a 400 for more commas and opening brackets than `maxValues`: there are at most as many values.
 */
function scan(text: string, maxValues: number): { readonly members: number; readonly isSuspicious: boolean } {
  let members = 0;
  let values = 0;
  let isSuspicious = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = closingQuote(text, at);
      const first = text.charCodeAt(at + 1);
      // An escape may be a digit.
      if ((isDigit(first) || first === backslash) && isKey(text, end)) isSuspicious = true;
      at = end;
    } else if (code === 0x2c || code === 0x5b || code === 0x7b) {
      if (++values > maxValues) throw tooManyValues(maxValues);
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
    if (!isEscaped(text, at)) return at;
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
