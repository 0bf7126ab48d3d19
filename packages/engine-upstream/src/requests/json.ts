import { isRecord, parseJson, runInTimeSlices, yieldToEventLoop } from '@modelwire/adapter-kit';
import { isEscaped, largeTextLength, runAtOnce } from '@modelwire/adapter-kit/internal';

/** The objects in an array; empty for other values. */
export function objectItems(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Maximum depth of a reply: serialising values with thousands of levels overflows the stack. */
const maxDepth = 512;

/** Characters and quotes within strings that are scanned in one step. */
const scansPerStep = 10_000;

/** Whether a JSON text is nested more than 512 levels deep. Short texts, which cannot be, are not scanned. */
export function isTooDeep(text: string): boolean {
  return text.length > 2 * maxDepth && runAtOnce(scanDepth(text));
}

/**
 * The same JSON with null in place of `NaN` and `Infinity`, which servers in Python write, and which JSON does not have; `undefined` if it has
 * none.
 */
export function* replaceNonFinite(text: string): Generator<undefined, string | undefined, undefined> {
  if (!/NaN|Infinity/.test(text)) return undefined;
  const parts: string[] = [];
  let scans = 0;
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const start = quote === -1 ? text.length : quote;
    parts.push(text.slice(at, start).replaceAll(/-?\b(?:NaN|Infinity)\b/g, 'null'));
    let end = text.indexOf('"', start + 1);
    while (end !== -1 && isEscaped(text, end)) {
      if (++scans % scansPerStep === 0) yield;
      end = text.indexOf('"', end + 1);
    }
    at = end === -1 ? text.length : end + 1;
    parts.push(text.slice(start, at));
    if (++scans % scansPerStep === 0) yield;
  }
  const replaced = parts.join('');
  return replaced === text ? undefined : replaced;
}

/** Parses JSON, a large text in time slices and turns of the event loop of its own. `too deep`: it is nested more than 512 levels deep. */
export async function parseLargeJson(text: string): Promise<{ readonly value: unknown } | 'too deep'> {
  if (text.length < largeTextLength) return isTooDeep(text) ? 'too deep' : { value: runAtOnce(parse(text)) };
  await yieldToEventLoop();
  if ((await runInTimeSlices(scanDepth(text))).value) return 'too deep';
  await yieldToEventLoop();
  const { value } = await runInTimeSlices(parse(text));
  await yieldToEventLoop();
  return { value };
}

function* parse(text: string): Generator<undefined, unknown, undefined> {
  const value = parseJson(text);
  if (value !== undefined) return value;
  const finite = yield* replaceNonFinite(text);
  return finite === undefined ? undefined : parseJson(finite);
}

function* scanDepth(text: string): Generator<undefined, boolean, undefined> {
  let depth = 0;
  let scans = 0;
  for (let at = 0; at < text.length; at++) {
    if (++scans % scansPerStep === 0) yield;
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        for (at = text.indexOf('"', at + 1); at !== -1 && isEscaped(text, at); at = text.indexOf('"', at + 1)) {
          if (++scans % scansPerStep === 0) yield;
        }
        if (at === -1) return false;
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
    }
  }
  return false;
}
