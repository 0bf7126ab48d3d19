/** Draws indexes below `count`; index i has a probability in proportion to 1 / (i + 1). */
export function zipf(count: number, random: () => number): () => number {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let index = 0; index < count; index++) sums[index] = sum += 1 / (index + 1);
  return () => {
    const point = random() * sum;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sums[middle] ?? sum) <= point) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
