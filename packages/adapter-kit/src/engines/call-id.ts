const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The ID of a tool call: random also with a seed, so that no two turns of a conversation share one. */
export function createCallId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return `call_${Array.from(bytes, (byte) => letters.charAt(byte % letters.length)).join('')}`;
}
