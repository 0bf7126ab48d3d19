import { isRecord } from '@modelwire/ports';

/**
 * A key `seed` and its integer of 16 to 19 digits. In valid JSON, a quote after one of these characters opens a key, or a value that is not
 * followed by a colon.
 */
const LONG_SEED = /"seed"(?<=[{,\s]"seed")(\s*:\s*)(-?\d{16,19})(?![\d.eE])/g;
const DIGITS = /^-?\d{16,19}$/;

/**
 * The body of a chat completion with a `seed` beyond 2^53 as a bigint, exact to the last digit: JSON.parse rounds it. Other bodies are not
 * parsed again. `bodyOf` returns the body within the parsed text, for a line of a batch.
 */
export function withExactSeed(body: unknown, text: string, bodyOf = (parsed: unknown): unknown => parsed): unknown {
  if (!isRecord(body) || !isRounded(body['seed'])) return body;
  const exact = bodyOf(JSON.parse(text.replace(LONG_SEED, '"seed"$1"$2"')));
  const digits = isRecord(exact) ? exact['seed'] : undefined;
  // Fractions and exponents remain numbers, which the schema refuses.
  return typeof digits === 'string' && DIGITS.test(digits) ? { ...body, seed: BigInt(digits) } : body;
}

function isRounded(seed: unknown): boolean {
  return typeof seed === 'number' && !Number.isSafeInteger(seed) && Number.isInteger(seed);
}
