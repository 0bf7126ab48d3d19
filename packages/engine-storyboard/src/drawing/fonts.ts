import { fileURLToPath } from 'node:url';
import { GlobalFonts } from '@napi-rs/canvas';

/** The font families of captions, in the order of preference. Both are npm packages with their licences; system fonts are not used. */
export const captionFont = 'Modelwire Caption, Modelwire Fallback';

const parts = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'greek-ext', 'vietnamese'];

/** Registers the fonts once per process. */
export function loadFonts(): void {
  if (GlobalFonts.has('Modelwire Fallback')) return;
  for (const part of parts) register(`@fontsource/inter/files/inter-${part}-600-normal.woff2`, 'Modelwire Caption');
  // Covers the characters of the first font, and Arabic, Hebrew, Armenian, Georgian, arrows and symbols.
  register('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf', 'Modelwire Fallback');
}

function register(file: string, family: string): void {
  GlobalFonts.registerFromPath(fileURLToPath(import.meta.resolve(file)), family);
}
