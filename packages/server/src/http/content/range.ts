import type { ByteRange } from '@modelwire/ports';

/**
 * The range that a request asks for (RFC 9110, section 14). Undefined for all of it: none was asked for, it is not one that is
 * understood, there are several, or what the client has is of something else. `none` when there is nothing in it.
 */
export function rangeOf(
  range: string | null,
  ifRange: string | null,
  { bytes, etag }: { readonly bytes: number; readonly etag: string },
): ByteRange | 'none' | undefined {
  const [, first, last] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(range ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (ifRange !== null && ifRange.trim() !== etag) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'none' : { start: bytes - length, end: bytes };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= bytes) return 'none';
  return { start, end: last === '' ? bytes : Math.min(Number(last) + 1, bytes) };
}
