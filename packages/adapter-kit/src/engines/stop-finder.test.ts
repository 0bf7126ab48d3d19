import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stopFinder, stopTables } from './stop-finder.ts';

/** Reference implementation: the stop sequence that ends first; of several, the longest. */
function referencePosition(text: string, stops: readonly string[]): number | undefined {
  for (let end = 1; end <= text.length; end++) {
    const found = stops.filter((stop) => text.slice(0, end).endsWith(stop)).sort((a, b) => b.length - a.length)[0];
    if (found !== undefined) return end - found.length;
  }
  return undefined;
}

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), maxLength: 30 });
const stops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 5 }), {
  minLength: 1,
  maxLength: 4,
});

test('finds the stop sequence that is complete first, however the text is split', () => {
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 6 }), stops, (pieces, sequences) => {
      const find = stopFinder(stopTables(sequences));
      let cut: number | undefined;
      for (const piece of pieces) {
        cut = find(piece).stopAt;
        if (cut !== undefined) break;
      }
      expect(cut).toBe(referencePosition(pieces.join(''), sequences));
    }),
  );
});

test('releases every character except those that may begin a stop sequence', () => {
  fc.assert(
    fc.property(letters, stops, (text, sequences) => {
      fc.pre(referencePosition(text, sequences) === undefined);
      let safe = 0;
      const find = stopFinder(stopTables(sequences));
      for (const unit of text) safe = find(unit).safe;
      const open = Math.max(
        0,
        ...sequences.flatMap((stop) => Array.from(stop, (_, i) => i).filter((i) => text.endsWith(stop.slice(0, i)))),
      );
      expect(safe).toBe(text.length - open);
    }),
  );
});
