const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A token as log probabilities show it; bytes that are not UTF-8 on their own are written `bytes:\xe2\x80` (API: Logprobs). */
export function tokenForm(bytes: Uint8Array): { token: string; bytes: number[] } {
  return { token: decoded(bytes) ?? `bytes:${Array.from(bytes, escaped).join('')}`, bytes: [...bytes] };
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function escaped(byte: number): string {
  return String.raw`\x${byte.toString(16).padStart(2, '0')}`;
}
