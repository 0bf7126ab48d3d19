import type { ByteRange } from '@modelwire/ports';

/**
 * Keys need no escaping in URLs and cannot be paths. They are in lower case, so that they are distinct files on case-insensitive file systems
 * as well. `$` without the flag m does not match before a trailing line feed.
 */
const pattern = /^blob_[0-9a-z]{1,64}$/;

export function isBlobKey(key: string): boolean {
  return pattern.test(key);
}

/** @throws {TypeError} for an invalid key. */
export function requireBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new TypeError(`Invalid blob key: ${JSON.stringify(key).slice(0, 80)}`);
}

/** @throws {RangeError} for an invalid range. */
export function requireByteRange(range: ByteRange | undefined): void {
  if (!range) return;
  const { start, end } = range;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError(`Invalid byte range: ${start} to ${end}`);
  }
}
