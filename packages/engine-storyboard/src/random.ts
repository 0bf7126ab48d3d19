/** A number of 32 bits from any texts and numbers; the same on every machine. */
export function hashOf(...values: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const value of values) {
    const text = String(value);
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash = Math.imul(hash ^ 0x1f, 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** From 0 up to 1, the same for the same values: a random number that needs no order of calls. */
export function chance(...values: readonly (string | number)[]): number {
  return hashOf(...values) / 0x1_0000_0000;
}

export function pick<Value>(choices: readonly Value[], ...values: readonly (string | number)[]): Value {
  const choice = choices[Math.floor(chance(...values) * choices.length)];
  if (choice === undefined) throw new RangeError('nothing to pick from');
  return choice;
}

/** Smooth noise in one dimension, -1 to 1. */
export function noise(seed: number, x: number): number {
  const cell = Math.floor(x);
  const part = x - cell;
  const ease = part * part * (3 - 2 * part);
  const left = lattice(seed, cell);
  return left + (lattice(seed, cell + 1) - left) * ease;
}

function lattice(seed: number, cell: number): number {
  let hash = Math.imul(seed ^ Math.imul(cell, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x8000_0000 - 1;
}

/** Octaves of noise, about -1 to 1. */
export function ridge(seed: number, x: number, octaves: number): number {
  let sum = 0;
  let weight = 0.5;
  for (let octave = 0; octave < octaves; octave++) {
    sum += noise(seed + octave * 101, x * 2 ** octave) * weight;
    weight /= 2;
  }
  return sum;
}
