import { finish } from './dfa.ts';
import type { Dfa } from './dfa.ts';

/**
 * Texts of up to a number of units, or of exactly that many. There is a start for each number, so that one automaton serves
 * all of them.
 */
export type Blocks = {
  readonly dfa: Dfa;
  /** The state from which `count` units, or up to `count`, follow. */
  from(count: number): number;
  /** The same after an opening quote. */
  quoted(count: number): number;
  /** The same with at least one unit. */
  quotedSome(count: number): number;
};

const QUOTE = 0x22;

/**
 * Up to `size - 1` units and a closing quote, or exactly `size` units without one. No text of `unit` is a prefix of another,
 * and none begins with a quote.
 */
export function blocksOf(unit: Dfa, size: number, mode: 'exactly' | 'upTo'): Blocks {
  const inner: number[] = [];
  const places = new Int32Array(unit.accepting.length).fill(-1);
  unit.accepting.forEach((accepts, state) => {
    if (accepts === 0) places[state] = inner.push(state) - 1;
  });
  const classes = Uint8Array.from(unit.classes);
  const quoteColumn = unit.width;
  const innerQuote = unit.classes[QUOTE] ?? 0;
  classes[QUOTE] = quoteColumn;
  const width = unit.width + 1;
  const last = 1 + size * inner.length;
  const count = last + 1 + 3 * size;
  const table = new Int32Array(count * width).fill(-1);
  const accepting = new Uint8Array(count);
  accepting[last] = 1;
  const beginOf = (layer: number): number => 1 + layer * inner.length;
  const openOf = (layer: number): number => last + 1 + layer;
  /** Where a layer begins if the text cannot end there, and its opening quote. */
  const someOf = (layer: number): number => last + 1 + size + layer;
  const openSomeOf = (layer: number): number => last + 1 + 2 * size + layer;
  table[quoteColumn] = beginOf(0);
  for (let layer = 0; layer < size; layer++) {
    table[openOf(layer) * width + quoteColumn] = beginOf(layer);
    table[openSomeOf(layer) * width + quoteColumn] = someOf(layer);
    const isFull = layer === size - 1;
    inner.forEach((state, own) => {
      const row = (beginOf(layer) + own) * width;
      const step = (from: number): number => {
        const target = unit.table[state * unit.width + from] ?? -1;
        if (target < 0 || (isFull && mode === 'upTo')) return -1;
        const place = places[target] ?? -1;
        if (place >= 0) return beginOf(layer) + place;
        return isFull ? last : beginOf(layer + 1);
      };
      for (let column = 0; column < unit.width; column++) table[row + column] = step(column);
      if (own === 0) table.copyWithin(someOf(layer) * width, row, row + unit.width);
      table[row + quoteColumn] = mode === 'upTo' && own === 0 ? last : step(innerQuote);
    });
  }
  const layerOf = (units: number): number => (mode === 'exactly' ? size : size - 1) - units;
  return {
    dfa: finish({
      classes,
      samples: Uint8Array.from([...unit.samples, QUOTE]),
      width,
      table,
      accepting,
      nullable: false,
    }),
    from: (units) => beginOf(layerOf(units)),
    quoted: (units) => openOf(layerOf(units)),
    quotedSome: (units) => openSomeOf(layerOf(units)),
  };
}
