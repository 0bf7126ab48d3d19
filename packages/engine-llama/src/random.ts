/** Returns numbers in [0, 1). */
export type Random = () => number;

/** Pseudorandom numbers (SplitMix64), which are the same for the same seed on every machine. */
export function seededRandom(seed: number | bigint): Random {
  let counter = BigInt.asUintN(64, BigInt(typeof seed === 'number' ? Math.trunc(seed) : seed));
  return () => {
    counter = BigInt.asUintN(64, counter + 0x9e3779b97f4a7c15n);
    let mixed = counter;
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    return Number((mixed ^ (mixed >> 31n)) >> 11n) / 2 ** 53;
  };
}

/** Unpredictable numbers, for a request without a seed. */
export function freshRandom(): Random {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2));
  return seededRandom(high * 0x200000 + (low >>> 11));
}
