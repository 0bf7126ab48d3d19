import { invalid } from '../errors.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Bytes from a caller as text. A byte order mark at the beginning is skipped.
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
