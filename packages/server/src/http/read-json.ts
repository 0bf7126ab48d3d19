import { invalid, wrongContentType } from '../errors.ts';

/** Values in one body. Ten million empty lists take seconds to parse, and everybody waits; no honest request has so many. */
const maxValues = 250_000;

/** @throws a 415 for a request that does not declare its body as JSON. */
export function requireJson(contentType: string | null): void {
  if (!isJson(contentType)) throw wrongContentType('application/json');
}

/** JSON from a caller, bounded in how many values it holds. @throws a 400 for what is none. */
export function parseJson(text: string): unknown {
  if (tooManyValues(text)) {
    throw invalid(null, `The request body holds more than ${maxValues} values.`, 'request_too_complex');
  }
  if (text.trim() === '') throw invalid(null, 'The request body is empty: send a JSON object.', 'invalid_json');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's own message quotes the body; the caller knows what was sent.
    throw invalid(null, 'The request body is not valid JSON.', 'invalid_json');
  }
}

function isJson(contentType: string | null): boolean {
  if (contentType === 'application/json') return true;
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return type === 'application/json' || (type?.startsWith('application/') === true && type.endsWith('+json'));
}

/** Values are told apart by commas and opened by brackets: there are no more than these. Strings are skipped. */
function tooManyValues(json: string): boolean {
  if (json.length <= maxValues) return false;
  let count = 0;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === 0x22) {
      for (i = json.indexOf('"', i + 1); i !== -1 && isEscaped(json, i); i = json.indexOf('"', i + 1));
      if (i === -1) return false;
    } else if ((code === 0x2c || code === 0x5b || code === 0x7b) && ++count > maxValues) return true;
  }
  return false;
}

function isEscaped(json: string, quote: number): boolean {
  let backslashes = 0;
  while (json.charCodeAt(quote - 1 - backslashes) === 0x5c) backslashes++;
  return backslashes % 2 === 1;
}
