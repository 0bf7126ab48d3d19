/** Number of input samples on each side that contribute to an output sample. */
const reach = 16;
/** Positions between two samples for which the filter is kept. */
const phases = 64;

/**
 * The same sound at another rate, by a windowed sinc: `from` and `to` are samples per second. Above the lower rate's half nothing is
 * left, so that nothing folds back.
 */
export function resample(samples: Int16Array, from: number, to: number): Int16Array<ArrayBuffer> {
  if (from === to) return samples.slice();
  const taps = filter(Math.min(1, to / from));
  const length = Math.floor((samples.length * to) / from);
  const result = new Int16Array(length);
  const step = from / to;
  for (let index = 0; index < length; index++) {
    const position = index * step;
    const whole = Math.floor(position);
    const phase = Math.round((position - whole) * phases);
    let sum = 0;
    for (let tap = 0; tap < 2 * reach; tap++) {
      sum += (samples[whole + tap - reach + 1] ?? 0) * (taps[phase * 2 * reach + tap] ?? 0);
    }
    result[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
  return result;
}

/** For each phase the weight of each neighbour, all of them together 1. */
function filter(cutoff: number): Float64Array {
  const taps = new Float64Array((phases + 1) * 2 * reach);
  for (let phase = 0; phase <= phases; phase++) {
    let sum = 0;
    for (let tap = 0; tap < 2 * reach; tap++) {
      const distance = tap - reach + 1 - phase / phases;
      const window = Math.abs(distance) >= reach ? 0 : 0.5 + 0.5 * Math.cos((Math.PI * distance) / reach);
      const angle = Math.PI * distance * cutoff;
      const weight = window * (angle === 0 ? 1 : Math.sin(angle) / angle);
      taps[phase * 2 * reach + tap] = weight;
      sum += weight;
    }
    for (let tap = 0; tap < 2 * reach; tap++) {
      const at = phase * 2 * reach + tap;
      taps[at] = (taps[at] ?? 0) / sum;
    }
  }
  return taps;
}
