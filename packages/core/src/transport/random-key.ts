/** 128 random bits. Not crypto.randomUUID, which browsers lack outside secure contexts. */
export function randomKey(): string {
  return crypto.getRandomValues(new BigUint64Array(2)).join('-');
}
