/** Divisible by 3, so that only the last slice is padded; small enough for the arguments of a function call. */
const SLICE_BYTES = 24_576;

/** Encodes bytes as base64, in linear time and memory. */
export function encodeBase64(bytes: Uint8Array): string {
  const slices: string[] = [];
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    // Spread would use an iterator, which is several times slower.
    const text = String(Reflect.apply(String.fromCharCode, undefined, bytes.subarray(at, at + SLICE_BYTES)));
    slices.push(btoa(text));
  }
  return slices.join('');
}
