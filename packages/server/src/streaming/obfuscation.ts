const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Random text from which paddings are cut. It hides lengths and is not secret, so it can be reused. */
const noise = Array.from(crypto.getRandomValues(new Uint8Array(8192)), (byte) => letters.charAt(byte % 62)).join('');

/**
 * The padding that makes events equally long (API: `stream_options.include_obfuscation`). Payloads up to `step` bytes above `base`
 * get the same size, longer ones a multiple of `step`, so that a size reveals no more than that.
 *
 * @param bytes Length of the payload in UTF-8 bytes, without its `obfuscation` field.
 */
export function padding(bytes: number, base: number, step: number): string {
  // At least one step, so that an empty delta is as long as a short one.
  return randomText(base + Math.max(1, Math.ceil((bytes - base) / step)) * step - bytes);
}

function randomText(length: number): string {
  const start = Math.floor(Math.random() * (noise.length - 256));
  return length <= 256
    ? noise.slice(start, start + length)
    : noise.slice(start, start + 256) + randomText(length - 256);
}

/** Length in UTF-8 bytes, without encoding. A lone surrogate counts as the three bytes of its replacement. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    if (code < 0x800) bytes += 1;
    else if (code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}
