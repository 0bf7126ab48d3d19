/** Copies bytes to a position of the target, and returns the position after them. */
export function copyBytes(source: Uint8Array, target: Buffer, at: number): number {
  target.set(source, at);
  return at + source.length;
}

/** Writes a count as JSON, and returns the position after it. Large and invalid counts are formatted by `JSON.stringify`. */
export function writeCount(bytes: Buffer, at: number, value: number): number {
  if (!isSmallInteger(value)) return at + bytes.write(JSON.stringify(value), at);
  return writeInteger(bytes, at, value);
}

/** Writes a number as JSON, rounded to one decimal place, and returns the position after it. */
export function writeTenths(bytes: Buffer, at: number, value: number): number {
  const rounded = Math.round(value * 10);
  if (!isSmallInteger(rounded)) return at + bytes.write(JSON.stringify(rounded / 10), at);
  const integer = tenthOf(rounded);
  const decimal = rounded - integer * 10;
  const end = writeInteger(bytes, at, integer);
  if (decimal === 0) return end;
  bytes[end] = 46;
  bytes[end + 1] = 48 + decimal;
  return end + 2;
}

/** Whether a number is a non-negative integer of at most nine digits, which fits in 32 bits as `tenthOf` requires. */
function isSmallInteger(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < 1e9;
}

/** Writes a small integer. */
function writeInteger(bytes: Buffer, at: number, value: number): number {
  let digits = 1;
  for (let bound = 10; value >= bound; bound *= 10) digits++;
  writeDigits(bytes, at, digits, value);
  return at + digits;
}

/** Writes the last digits of a small integer. */
export function writeDigits(bytes: Buffer, at: number, digits: number, value: number): void {
  let rest = value;
  for (let position = at + digits - 1; position >= at; position--) {
    const tens = tenthOf(rest);
    bytes[position] = 48 + rest - 10 * tens;
    rest = tens;
  }
}

/** A tenth of a small integer, rounded down. V8 compiles this to an integer multiplication, `Math.trunc` to a division. */
function tenthOf(value: number): number {
  return (value / 10) | 0;
}

/** Writes ASCII text that is as long as the buffer. For short text this is faster than `Buffer.write`, which calls native code. */
export function writeAscii(text: string, bytes: Buffer): void {
  for (let index = 0; index < bytes.length; index++) bytes[index] = text.charCodeAt(index);
}
