import { invalid, unsupportedContentType } from '../errors.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes bytes from a client. A byte order mark at the beginning is skipped.
 *
 * @param what Named in the error, for instance `The request body`.
 * @throws a 400 for bytes that are not UTF-8.
 */
export function decodeText(bytes: Uint8Array, what: string, param: string | null = null): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw invalid(param, `${what} is not valid UTF-8.`, 'invalid_encoding');
  }
}

/** Maximum number of values in a body. Parsing ten million empty lists blocks the event loop for seconds; real requests have far fewer. */
const maxValues = 250_000;

/** @throws a 415 for a request that does not declare its body as JSON. */
export function requireJson(contentType: string | null): void {
  if (!isJson(contentType)) throw unsupportedContentType('application/json');
}

/** Parses JSON from a client, up to 250,000 values. @throws a 400 for invalid JSON. */
export function parseJson(text: string): unknown {
  if (hasTooManyValues(text)) {
    throw invalid(null, `The request body has more than ${maxValues} values.`, 'request_too_complex');
  }
  if (text.trim() === '') throw invalid(null, 'The request body is empty: send a JSON object.', 'invalid_json');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The message of the parser quotes the body, which must not be logged.
    throw invalid(null, 'The request body is not valid JSON.', 'invalid_json');
  }
}

function isJson(contentType: string | null): boolean {
  if (contentType === 'application/json') return true;
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return type === 'application/json' || (type?.startsWith('application/') === true && type.endsWith('+json'));
}

/** Counts commas and opening brackets outside of strings: there are at most as many values. */
function hasTooManyValues(json: string): boolean {
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
