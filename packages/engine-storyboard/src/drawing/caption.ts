import type { SKRSContext2D } from '@napi-rs/canvas';
import { captionFont, loadFonts } from './fonts.ts';

/** Stands for a run of characters that the fonts do not have. */
const missingGlyph = '▯';
/** Emoji, other scripts, and signs of other scripts. */
const unsupported =
  /(?:[\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}\ufe0e\ufe0f\u200d]|[^\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Armenian}\p{sc=Georgian}\p{sc=Common}\p{sc=Inherited}]|(?=[\p{sc=Common}\p{sc=Inherited}])[\u2c00-\u{10ffff}])+/gu;
const maxLines = 3;

/** Replaces characters that the embedded fonts do not have. */
export const replaceUnsupported = (text: string): string => text.replace(unsupported, missingGlyph);

/** Splits a text into at most so many short pages; the last page has the rest. */
export function splitIntoPages(text: string, maxPages: number): readonly string[] {
  const words = text.split(' ');
  const charactersPerPage = 84;
  const pages: string[] = [];
  let page = '';
  for (const word of words) {
    if (page !== '' && page.length + word.length + 1 > charactersPerPage && pages.length < maxPages - 1) {
      pages.push(page);
      page = word;
    } else {
      page = page === '' ? word : `${page} ${word}`;
    }
  }
  return [...pages, page];
}

export interface Caption {
  readonly lines: readonly string[];
  readonly size: number;
  readonly rightToLeft: boolean;
}

/** Breaks a caption into lines that fit; an ellipsis replaces the rest. */
export function layoutCaption(ctx: SKRSContext2D, text: string): Caption {
  loadFonts();
  const { width, height } = ctx.canvas;
  const supportedText = replaceUnsupported(text.slice(0, 600));
  const size = Math.round(Math.min(width, height) * (supportedText.length > 60 ? 0.055 : 0.065));
  const maxLineWidth = Math.min(width * 0.86, height * 1.1);
  ctx.font = `600 ${size}px ${captionFont}`;
  const fits = (line: string) => ctx.measureText(line).width <= maxLineWidth;
  const lines: string[] = [];
  let line = '';
  const words = supportedText.split(' ').flatMap((word) => (fits(word) ? [word] : breakWord(word, fits)));
  for (const word of words) {
    const extendedLine = line === '' ? word : `${line} ${word}`;
    if (fits(extendedLine)) {
      line = extendedLine;
    } else if (lines.length === maxLines - 1) {
      line = `${line}…`;
      break;
    } else {
      lines.push(line);
      line = word;
    }
  }
  if (line !== '') lines.push(line);
  return {
    lines,
    size,
    rightToLeft: /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(supportedText),
  };
}

/** A word that is longer than a line. */
function breakWord(word: string, fits: (line: string) => boolean): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of word) {
    if (piece !== '' && !fits(piece + character)) {
      pieces.push(piece);
      if (pieces.length > maxLines) return pieces;
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

/** Draws the lines in the lower third, on a dark band that keeps them readable on any backdrop. `label`: small letters above the text. */
export function drawCaption(
  ctx: SKRSContext2D,
  { lines, size, rightToLeft }: Caption,
  label: string | undefined,
  opacity: number,
): void {
  const { width, height } = ctx.canvas;
  if (lines.length === 0) return;
  const leading = size * 1.3;
  const bottom = height * 0.88;
  ctx.save();
  ctx.fillStyle = 'rgba(0,0,0,0.45)';
  const bandTop = bottom - lines.length * leading - size * (label === undefined ? 0.6 : 1.7);
  ctx.fillRect(0, bandTop, width, bottom + size * 0.8 - bandTop);
  ctx.globalAlpha = opacity;
  ctx.fillStyle = '#fffdf6';
  ctx.textBaseline = 'alphabetic';
  ctx.textAlign = 'center';
  ctx.direction = rightToLeft ? 'rtl' : 'ltr';
  ctx.font = `600 ${size}px ${captionFont}`;
  for (const [at, line] of lines.entries()) {
    ctx.fillText(line, width / 2, bottom - (lines.length - 1 - at) * leading);
  }
  if (label !== undefined) {
    ctx.direction = 'ltr';
    ctx.font = `600 ${Math.round(size * 0.6)}px ${captionFont}`;
    ctx.fillText(label, width / 2, bottom - lines.length * leading - size * 0.2);
  }
  ctx.restore();
}
