import { largeTextLength, runInTimeSlices, yieldToEventLoop } from '../work/event-loop.ts';
import { jsonLength } from './json-length.ts';

/** Characters of a string, and about the length of a value, that are serialized at once: less than a millisecond. */
const maxLengthAtOnce = 64 * 1024;

/**
 * The JSON of a value that has one, as `JSON.stringify` writes it. That of a large one is written in time slices: at once, 20 MB take up to 150 ms.
 */
export function stringifyJson(value: unknown): string | Promise<string> {
  return jsonLength(value, largeTextLength) < largeTextLength ? JSON.stringify(value) : stringifyInSlices(value);
}

async function stringifyInSlices(value: unknown): Promise<string> {
  const pieces: string[] = [];
  await yieldToEventLoop();
  await runInTimeSlices(write(value, pieces));
  await yieldToEventLoop();
  const text = pieces.join('');
  await yieldToEventLoop();
  return text;
}

function* write(value: unknown, pieces: string[]): Generator<undefined, void, undefined> {
  yield;
  if (typeof value === 'string') yield* writeString(value, pieces);
  else if (!isPlain(value) || jsonLength(value, maxLengthAtOnce) < maxLengthAtOnce)
    pieces.push(isAbsent(value) ? 'null' : JSON.stringify(value));
  else if (Array.isArray(value)) {
    pieces.push('[');
    for (let index = 0; index < value.length; index++) {
      if (index > 0) pieces.push(',');
      yield* write(value[index], pieces);
    }
    pieces.push(']');
  } else {
    let opening = '{';
    for (const [name, member] of Object.entries(value)) {
      if (isAbsent(member)) continue;
      pieces.push(`${opening}${JSON.stringify(name)}:`);
      opening = ',';
      yield* write(member, pieces);
    }
    pieces.push(opening === '{' ? '{}' : '}');
  }
}

function* writeString(text: string, pieces: string[]): Generator<undefined, void, undefined> {
  pieces.push('"');
  for (let start = 0; start < text.length;) {
    let end = start + maxLengthAtOnce;
    // Both halves of a surrogate pair are in one piece: one alone would be escaped.
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++;
    pieces.push(JSON.stringify(text.slice(start, end)).slice(1, -1));
    start = end;
    yield;
  }
  pieces.push('"');
}

/** Whether JSON has no such value: objects omit it, and arrays have `null` instead. */
function isAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

/** Objects and arrays without a serialization of their own, such as that of dates, and no raw numbers. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return true;
  return Object.getPrototypeOf(value) === Object.prototype && !('toJSON' in value);
}
