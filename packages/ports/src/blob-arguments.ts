import type { ByteRange } from './blobs.ts';

/**
 * What the kit makes: nothing that a URL or a server would read as something else, lower-case only, so that two keys are two files also
 * where case does not count, and none is a path. `$` would allow a line feed at the end only with the flag m.
 */
const pattern = /^blob_[0-9a-z]{1,64}$/;

export function isBlobKey(key: string): boolean {
  return pattern.test(key);
}

/** @throws {TypeError} for what is no key. */
export function requireBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new TypeError(`not a key of bytes: ${JSON.stringify(key).slice(0, 80)}`);
}

/** @throws {RangeError} for what is no range. */
export function requireByteRange(range: ByteRange | undefined): void {
  if (!range) return;
  const { start, end } = range;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError(`not a range of bytes: ${start} to ${end}`);
  }
}
