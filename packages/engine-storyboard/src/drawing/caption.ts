import type { SKRSContext2D } from '@napi-rs/canvas';
import { captionFont, loadFonts } from './fonts.ts';

/** What stands for characters that no font here can show: one for each run of them. */
const unshown = '▯';
const linesAtMost = 3;

/** The text, with what the fonts cannot show replaced: visible, and never a glyph that differs between machines. */
export function showable(text: string): string {
  const covered = loadFonts();
  let shown = '';
  for (const sign of text.replace(
    /[\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}\ufe0e\ufe0f\u200d]+/gu,
    unshown,
  )) {
    const fine = covered(sign.codePointAt(0) ?? 0);
    if (fine) shown += sign;
    else if (!shown.endsWith(unshown)) shown += unshown;
  }
  return shown;
}

/** Splits a text over the shots of its beat, so that each shows a part that can be read. */
export function pagesOf(text: string, shots: number): readonly string[] {
  const words = text.split(' ');
  const perPage = 84;
  const pages: string[] = [];
  let page = '';
  for (const word of words) {
    if (page !== '' && page.length + word.length + 1 > perPage && pages.length < shots - 1) {
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

/** Breaks a caption into lines that fit; what is left over becomes an ellipsis. */
export function layOut(ctx: SKRSContext2D, text: string, width: number, height: number): Caption {
  const shown = showable(text.slice(0, 600));
  const size = Math.round(Math.min(width, height) * (shown.length > 60 ? 0.043 : 0.05));
  const room = Math.min(width * 0.86, height * 1.1);
  ctx.font = `600 ${String(size)}px ${captionFont}`;
  const fits = (line: string) => ctx.measureText(line).width <= room;
  const lines: string[] = [];
  let line = '';
  const words = shown.split(' ').flatMap((word) => (fits(word) ? [word] : broken(word, fits)));
  for (const [at, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (fits(longer)) {
      line = longer;
    } else if (lines.length === linesAtMost - 1) {
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
    lines: balanced(lines, fits),
    size,
    rightToLeft: /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(shown),
  };
}

/** A word that is longer than a line. */
function broken(word: string, fits: (line: string) => boolean): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const sign of word) {
    if (piece !== '' && !fits(piece + sign)) {
      pieces.push(piece);
      if (pieces.length > linesAtMost) return pieces;
      piece = '';
    }
    piece += sign;
  }
  return [...pieces, piece];
}

/** Two lines of about the same length look better than one and a word. */
function balanced(lines: readonly string[], fits: (line: string) => boolean): readonly string[] {
  const words = lines.join(' ').split(' ');
  if (lines.length !== 2 || words.length < 4) return lines;
  let best = lines;
  let least = Infinity;
  for (let at = 1; at < words.length; at++) {
    const [first, second] = [words.slice(0, at).join(' '), words.slice(at).join(' ')];
    const uneven = Math.abs(first.length - second.length);
    if (uneven < least && fits(first) && fits(second)) [best, least] = [[first, second], uneven];
  }
  return best;
}

/** Draws it at the foot; `shown` goes from 0 to 1 as it comes in. Dark letters are for paper, light ones for pictures. */
export function drawCaption(
  ctx: SKRSContext2D,
  caption: Caption,
  width: number,
  height: number,
  shown: number,
  dark: boolean,
): void {
  const { lines, size, rightToLeft } = caption;
  const lead = size * 1.3;
  const bottom = height * (height > width ? 0.945 : 0.935);
  ctx.save();
  ctx.font = `600 ${String(size)}px ${captionFont}`;
  ctx.textBaseline = 'alphabetic';
  ctx.textAlign = 'center';
  ctx.direction = rightToLeft ? 'rtl' : 'ltr';
  for (const [at, line] of lines.entries()) {
    const late = Math.min(1, Math.max(0, shown * 1.5 - at * 0.25));
    const ease = 1 - (1 - late) ** 3;
    const y = bottom - (lines.length - 1 - at) * lead + (1 - ease) * size * 0.6;
    ctx.globalAlpha = ease;
    if (!dark) {
      ctx.fillStyle = 'rgba(0,0,0,0.35)';
      ctx.fillText(line, width / 2, y + size * 0.06);
    }
    ctx.fillStyle = dark ? '#1f2b4a' : '#fffdf6';
    ctx.fillText(line, width / 2, y);
  }
  // A short rule above: it grows out of the middle.
  ctx.globalAlpha = 0.85;
  const rule = size * 1.4 * (1 - (1 - Math.min(1, shown * 1.2)) ** 3);
  ctx.fillRect(width / 2 - rule / 2, bottom - lines.length * lead - size * 0.12, rule, Math.max(2, size * 0.07));
  ctx.restore();
}
