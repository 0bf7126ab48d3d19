import type { Budget } from '../budget.ts';
import { finish } from './dfa.ts';
import type { Dfa } from './dfa.ts';

/** The texts of both automata, or (`difference`) those of the first that the second does not have. */
export function productDfa(a: Dfa, b: Dfa, mode: 'both' | 'difference', budget: Budget): Dfa {
  const pairs: [number, number][] = [[0, 0]];
  const known = new Map<string, number>();
  const rows: number[] = [];
  const accepting: number[] = [];
  const { classes, samples } = commonClasses(a, b);
  const accepts = (x: number, y: number): number => {
    const inB = y >= 0 && b.accepting[y] === 1;
    return a.accepting[x] === 1 && inB === (mode === 'both') ? 1 : 0;
  };
  for (let id = 0; id < pairs.length; id++) {
    const [x, y] = pairs[id] ?? [0, 0];
    accepting.push(id === 0 ? 0 : accepts(x, y));
    for (const byte of samples) {
      const nextX = a.table[x * a.width + (a.classes[byte] ?? 0)] ?? -1;
      const nextY = y < 0 ? -1 : (b.table[y * b.width + (b.classes[byte] ?? 0)] ?? -1);
      if (nextX < 0 || (nextY < 0 && mode === 'both')) {
        rows.push(-1);
        continue;
      }
      const key = `${nextX},${nextY}`;
      let next = known.get(key);
      if (next === undefined) {
        budget.states(1);
        next = pairs.push([nextX, nextY]) - 1;
        known.set(key, next);
      }
      rows.push(next);
    }
    budget.work(samples.length);
  }
  const nullable = a.nullable && b.nullable === (mode === 'both');
  return finish({
    classes,
    samples,
    width: samples.length,
    table: Int32Array.from(rows),
    accepting: Uint8Array.from(accepting),
    nullable,
  });
}

function commonClasses(a: Dfa, b: Dfa): { classes: Uint8Array; samples: Uint8Array } {
  const ids = new Map<number, number>();
  const classes = new Uint8Array(256);
  const samples: number[] = [];
  for (let byte = 0; byte < 256; byte++) {
    const key = (a.classes[byte] ?? 0) * 256 + (b.classes[byte] ?? 0);
    let id = ids.get(key);
    if (id === undefined) {
      id = samples.push(byte) - 1;
      ids.set(key, id);
    }
    classes[byte] = id;
  }
  return { classes, samples: Uint8Array.from(samples) };
}
