/** The text of a file, regardless of its name: UTF-8 without control characters other than whitespace. Undefined for any other content. */
export function fileText(bytes: Uint8Array): string | undefined {
  if (isPdf(bytes)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /[\x00-\x08\x0e-\x1f\x7f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

export function isPdf(bytes: Uint8Array): boolean {
  return bytes[0] === 0x25 && bytes[1] === 0x50 && bytes[2] === 0x44 && bytes[3] === 0x46;
}
