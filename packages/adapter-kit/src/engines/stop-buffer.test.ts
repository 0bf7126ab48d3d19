import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStopBuffer } from './stop-buffer.ts';
import { stopTables } from './stop-finder.ts';

const bufferOf = (...stop: string[]) =>
  createStopBuffer<{ text: string }>(stopTables(stop), ({ text }, length) => ({ text: text.slice(0, length) }));
const textsOf = (pieces: readonly { text: string }[]): string[] => pieces.map(({ text }) => text);

test('releases pieces that cannot belong to a stop sequence, and holds back the others', () => {
  const buffer = bufferOf('two three');
  const released = ['one ', 'tw', 'o', ' four', ' t'].map((text) => textsOf(buffer.push({ text }).pieces));
  expect(released).toEqual([['one '], [], [], ['tw', 'o', ' four'], []]);
  expect(textsOf(buffer.flush())).toEqual([' t']);
});

test('truncates the piece in which a stop sequence begins, and releases no part of it', () => {
  const buffer = bufferOf('wo th');
  expect(buffer.push({ text: 'one two' })).toEqual({ pieces: [], stoppedBy: undefined });
  expect(buffer.push({ text: ' three' })).toEqual({ pieces: [{ text: 'one t' }], stoppedBy: 'wo th' });
  expect(buffer.flush()).toEqual([]);
});

test('releases the text before the stop sequence, however it is split', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 4 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (texts) => {
      const buffer = bufferOf('aab');
      let text = '';
      const isStopped = texts.some((one) => {
        const { pieces, stoppedBy } = buffer.push({ text: one });
        text += textsOf(pieces).join('');
        return stoppedBy !== undefined;
      });
      if (!isStopped) text += textsOf(buffer.flush()).join('');
      expect(text).toBe(texts.join('').replace(/aab[^]*/, ''));
    }),
  );
});
