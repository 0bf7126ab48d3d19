import type { SKRSContext2D } from '@napi-rs/canvas';
import { captionFont, loadFonts } from './fonts.ts';

/** Replaces each run of characters that no embedded font can show. */
const missingGlyph = '▯';
const maxLines = 3;

/** Replaces characters that the embedded fonts do not have, so that the text looks the same on every machine. */
export function replaceUnsupported(text: string): string {
  const isSupported = loadFonts();
  let supportedText = '';
  for (const character of text.replace(
    /[\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}\ufe0e\ufe0f\u200d]+/gu,
    missingGlyph,
  )) {
    if (isSupported(character.codePointAt(0) ?? 0)) supportedText += character;
    else if (!supportedText.endsWith(missingGlyph)) supportedText += missingGlyph;
  }
  return supportedText;
}

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
export function layoutCaption(ctx: SKRSContext2D, text: string, width: number, height: number): Caption {
  const supportedText = replaceUnsupported(text.slice(0, 600));
  const size = Math.round(Math.min(width, height) * (supportedText.length > 60 ? 0.055 : 0.065));
  const maxLineWidth = Math.min(width * 0.86, height * 1.1);
  ctx.font = `600 ${String(size)}px ${captionFont}`;
  const fits = (line: string) => ctx.measureText(line).width <= maxLineWidth;
  const lines: string[] = [];
  let line = '';
  const words = supportedText.split(' ').flatMap((word) => (fits(word) ? [word] : breakWord(word, fits)));
  for (const [at, word] of words.entries()) {
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
    if (at === words.length - 1) break;
  }
  if (line !== '') lines.push(line);
  return {
    lines: balanceLines(lines, fits),
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

/** Balances the lines: two lines of about the same length. */
function balanceLines(lines: readonly string[], fits: (line: string) => boolean): readonly string[] {
  const words = lines.join(' ').split(' ');
  if (lines.length !== 2 || words.length < 4) return lines;
  let best = lines;
  let smallestDifference = Infinity;
  for (let at = 1; at < words.length; at++) {
    const [first, second] = [words.slice(0, at).join(' '), words.slice(at).join(' ')];
    const difference = Math.abs(first.length - second.length);
    if (difference < smallestDifference && fits(first) && fits(second))
      [best, smallestDifference] = [[first, second], difference];
  }
  return best;
}

export interface CaptionFrame {
  readonly caption: Caption;
  /** Shown above the text in small letters. */
  readonly label: string | undefined;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Opacity, 0 to 1. */
  readonly opacity: number;
}

/** Draws the lines in the lower third, on a dark band that keeps them readable on any backdrop. */
export function drawCaption(
  ctx: SKRSContext2D,
  { caption: { lines, size, rightToLeft }, label, width, height, opacity }: CaptionFrame,
): void {
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
  ctx.font = `600 ${String(size)}px ${captionFont}`;
  for (const [at, line] of lines.entries()) {
    ctx.fillText(line, width / 2, bottom - (lines.length - 1 - at) * leading);
  }
  if (label !== undefined) {
    ctx.direction = 'ltr';
    ctx.font = `600 ${String(Math.round(size * 0.6))}px ${captionFont}`;
    ctx.fillText(label, width / 2, bottom - lines.length * leading - size * 0.2);
  }
  ctx.restore();
}
