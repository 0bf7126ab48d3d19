import { createCanvas } from '@napi-rs/canvas';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layoutCaption, splitIntoPages, replaceUnsupported } from './caption.ts';

const contextOf = (width: number, height: number) => createCanvas(width, height).getContext('2d');
const ctx = contextOf(720, 1280);

test('Latin, Greek, Cyrillic, Hebrew and Arabic are displayed unchanged', () => {
  const text = 'Żółć Ελληνικά Русский שלום مرحبا Tiếng ♥';
  expect(replaceUnsupported(text)).toBe(text.replace('♥', '▯'));
});

test('replaces each run of characters without a glyph by one sign', () => {
  expect(replaceUnsupported('日本語 sea 🌊🌊!')).toBe('▯ sea ▯!');
});

test('a caption has at most three lines, and ends with an ellipsis if it is truncated', () => {
  const caption = layoutCaption(ctx, 'many words of a long prompt '.repeat(20));
  expect(caption.lines).toHaveLength(3);
  expect(caption.lines[2]).toMatch(/…$/);
});

test('a word that is longer than the frame is broken', () => {
  const { lines } = layoutCaption(ctx, 'a'.repeat(200));
  expect(lines.length).toBeGreaterThan(1);
});

test('every line fits into the frame, for any text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.constantFrom([720, 1280], [1792, 1024]),
      (text, [wide, high]) => {
        const frame = contextOf(wide, high);
        const { lines } = layoutCaption(frame, text);
        expect(lines.length).toBeLessThanOrEqual(3);
        for (const line of lines) expect(frame.measureText(line).width).toBeLessThan(wide * 0.95);
      },
    ),
    { numRuns: 60 },
  );
});

test('detects captions that are written from right to left', () => {
  expect(layoutCaption(ctx, 'שלום sea').rightToLeft).toBe(true);
  expect(layoutCaption(ctx, 'sea שלום').rightToLeft).toBe(false);
});

test('splits a long caption over the shots of its beat without losing a word', () => {
  const text = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ');
  const pages = splitIntoPages(text, 3);
  expect(pages).toHaveLength(3);
  expect(pages.join(' ')).toBe(text);
});
