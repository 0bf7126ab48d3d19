/** Divisible by 3, so that only the last slice is padded; small enough for the arguments of a call. */
const SLICE = 24_576;

/** Bytes in base64, in time and memory that grow with their number. */
export function encodeBase64(bytes: Uint8Array): string {
  const slices: string[] = [];
  for (let at = 0; at < bytes.length; at += SLICE) {
    // Spread would walk an iterator: several times the time.
    const text = String(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + SLICE)));
    slices.push(btoa(text));
  }
  return slices.join('');
}
