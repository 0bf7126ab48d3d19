import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GlobalFonts } from '@napi-rs/canvas';

/** The font families of captions, in the order of preference. Both are npm packages with their licences; system fonts are not used. */
export const captionFont = 'Modelwire Caption, Modelwire Fallback';

const parts = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'];
let covered: ((codePoint: number) => boolean) | undefined;

/** Registers the fonts once per process. Returns the characters that they contain. */
export function loadFonts(): (codePoint: number) => boolean {
  if (covered) return covered;
  for (const part of parts) {
    GlobalFonts.registerFromPath(pathOf(`@fontsource/inter/files/inter-${part}-600-normal.woff2`), 'Modelwire Caption');
  }
  // Covers the characters of the first font, and Arabic, Hebrew, Armenian, Georgian, arrows and symbols.
  const fallback = pathOf('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');
  GlobalFonts.registerFromPath(fallback, 'Modelwire Fallback');
  covered = coverageOf(readFileSync(fallback));
  return covered;
}

function pathOf(file: string): string {
  return fileURLToPath(import.meta.resolve(file));
}

/** Characters that a TrueType font has a glyph for: its `cmap`, formats 4 and 12. */
function coverageOf(font: Buffer): (codePoint: number) => boolean {
  const ranges: (readonly [number, number])[] = [];
  const tables = font.readUInt16BE(4);
  for (let table = 0; table < tables; table++) {
    const record = 12 + table * 16;
    if (font.toString('latin1', record, record + 4) !== 'cmap') continue;
    const cmap = font.readUInt32BE(record + 8);
    for (let map = 0; map < font.readUInt16BE(cmap + 2); map++) {
      const at = cmap + font.readUInt32BE(cmap + 4 + map * 8 + 4);
      const format = font.readUInt16BE(at);
      if (format === 4) {
        const segments = font.readUInt16BE(at + 6) / 2;
        for (let segment = 0; segment < segments; segment++) {
          const end = font.readUInt16BE(at + 14 + segment * 2);
          const start = font.readUInt16BE(at + 16 + segments * 2 + segment * 2);
          if (start !== 0xffff) ranges.push([start, end]);
        }
      } else if (format === 12) {
        for (let group = 0; group < font.readUInt32BE(at + 12); group++) {
          ranges.push([font.readUInt32BE(at + 16 + group * 12), font.readUInt32BE(at + 20 + group * 12)]);
        }
      }
    }
  }
  return (codePoint) => ranges.some(([start, end]) => codePoint >= start && codePoint <= end);
}
