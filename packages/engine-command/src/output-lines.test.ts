import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lines, parseOutputLine } from './output-lines.ts';

test.each([
  ['{"progress": 42}', 42],
  ['  {"progress":142,"frame":7}', 100],
  ['progress 42', 42],
  ['Progress: 12.5 %', 12.5],
  ['out_time_us=1000000', 25],
  ['out_time_ms=9000000', 100],
  ['{"progress": "42"}', undefined],
  ['{"progress": -1}', 0],
  ['{"progress": 4', undefined],
  ['progress=end', undefined],
  ['in progress 42', undefined],
  ['out_time_us=N/A', undefined],
  ['null', undefined],
])('of a film of four seconds, %j says a progress of %s', (line, progress) => {
  expect(parseOutputLine(line, 4).progress).toBe(progress);
});

test('lines are the same however their text is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z\r\n]{0,6}$/)), (pieces) => {
      const cut: string[] = [];
      const reading = lines((line) => cut.push(line));
      pieces.forEach((piece) => reading.add(piece));
      reading.end();
      expect(cut).toEqual(
        pieces
          .join('')
          .split(/[\r\n]+/)
          .filter((line) => line !== ''),
      );
    }),
  );
});

test('a line without end is passed over, and the next is read', () => {
  const read: string[] = [];
  const reading = lines((line) => read.push(line));
  for (let i = 0; i < 100; i++) reading.add('x'.repeat(1000));
  reading.add('\nprogress 3\n');
  expect(read).toEqual(['progress 3']);
});

test('progress is between 0 and 100, for any line', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc
          .tuple(fc.constantFrom('{"progress":', 'progress ', 'out_time_us='), fc.oneof(fc.double(), fc.integer()))
          .map(([before, n]) => `${before}${n}${before.startsWith('{') ? '}' : ''}`),
      ),
      (line) => {
        const { progress = 0 } = parseOutputLine(line, 4);
        expect(progress).toBeGreaterThanOrEqual(0);
        expect(progress).toBeLessThanOrEqual(100);
      },
    ),
  );
});
