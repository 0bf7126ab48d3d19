/** A stream of numbers in [0, 1), the same for the same name on every machine (sfc32: integer arithmetic only). */
export type Random = () => number;

export function seededRandom(name: string): Random {
  let [a, b, c] = [hash(name, 0x9e3779b9), hash(name, 0x85ebca6b), hash(name, 0xc2b2ae35)];
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  // The first numbers still resemble the seed.
  for (let i = 0; i < 12; i++) next();
  return () => (next() * 0x200000 + (next() >>> 11)) / 2 ** 53;
}

/** A name for `seededRandom` that nobody can guess, for a request without seed. */
export function freshName(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join(':');
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An id of a tool call: always fresh, so that no two turns of a conversation share one, whatever the seed. */
export function callId(): string {
  return `call_${Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => letters.charAt(byte % 62)).join('')}`;
}

/** FNV-1a over UTF-16 units with a final mix. */
export function hash(text: string, basis: number): number {
  let h = basis | 0;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}
