/** Copies bytes to a position, and returns the position after them. */
export function copy(part: Uint8Array, bytes: Buffer, at: number): number {
  bytes.set(part, at);
  return at + part.length;
}

/** Writes a count as JSON, and returns the position after it. An engine can give another number than a count, such as NaN. */
export function writeCount(bytes: Buffer, at: number, value: number): number {
  if (!isShort(value)) return at + bytes.write(JSON.stringify(value), at);
  return writeInteger(bytes, at, value);
}

/** Writes a number, rounded to one decimal, and returns the position after it. */
export function writeTenths(bytes: Buffer, at: number, value: number): number {
  const rounded = Math.round(value * 10);
  if (!isShort(rounded)) return at + bytes.write(JSON.stringify(rounded / 10), at);
  const integer = tenthOf(rounded);
  const decimal = rounded - integer * 10;
  const end = writeInteger(bytes, at, integer);
  if (decimal === 0) return end;
  bytes[end] = 46;
  bytes[end + 1] = 48 + decimal;
  return end + 2;
}

/** Whether a number is a non-negative integer of at most nine digits. */
function isShort(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < 1e9;
}

/** Writes a short integer. */
function writeInteger(bytes: Buffer, at: number, value: number): number {
  let digits = 1;
  for (let bound = 10; value >= bound; bound *= 10) digits++;
  writeDigits(bytes, at, digits, value);
  return at + digits;
}

/** Writes the last digits of a short integer. */
export function writeDigits(bytes: Buffer, at: number, digits: number, value: number): void {
  let rest = value;
  for (let position = at + digits - 1; position >= at; position--) {
    const tens = tenthOf(rest);
    bytes[position] = 48 + rest - 10 * tens;
    rest = tens;
  }
}

/** A tenth of a short integer, rounded down. V8 compiles it to a multiplication, and `Math.trunc` to a division of floating point numbers. */
function tenthOf(value: number): number {
  return (value / 10) | 0;
}

/** Fills a buffer of the same length. For short texts this takes less time than a call of native code. */
export function writeText(text: string, bytes: Buffer): void {
  for (let index = 0; index < bytes.length; index++) bytes[index] = text.charCodeAt(index);
}
