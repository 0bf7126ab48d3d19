export const emptyHash = 0x811c9dc5;

/** The hash of a text with one more UTF-16 unit, signed: only such numbers are stored without an object. */
export const hashUnit = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

/** FNV-1a over UTF-16 units from any state; the same on every machine. */
export function hashText(text: string, from = 0, to = text.length, state = emptyHash): number {
  return hashUnits(text, from, to, state) >>> 0;
}

/** The same, signed. */
export function hashUnits(text: string, from: number, to: number, state: number): number {
  let hash = state;
  for (let at = from; at < to; at++) hash = hashUnit(hash, text.charCodeAt(at));
  return hash;
}

/** Mixes the bits, so that the low ones can select a bucket. */
export function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}
