import type { ByteRange } from '@modelwire/server';

/** @throws {RangeError} for what is no range. */
export function requireRange(range: ByteRange | undefined): void {
  if (!range) return;
  const { start, end } = range;
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError(`not a range of bytes: ${start} to ${end}`);
  }
}
