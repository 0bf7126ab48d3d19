import type { ByteRange } from '@modelwire/ports';

/**
 * The requested range (RFC 9110, section 14). Undefined for the whole content: no range, an invalid one, several, or an outdated
 * `If-Range`. `unsatisfiable` if the range is empty.
 */
export function parseRange(
  range: string | null,
  ifRange: string | null,
  { bytes, etag }: { readonly bytes: number; readonly etag: string },
): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (ifRange !== null && ifRange.trim() !== etag) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= bytes) return 'unsatisfiable';
  return { start, end: last === '' ? bytes : Math.min(Number(last) + 1, bytes) };
}
